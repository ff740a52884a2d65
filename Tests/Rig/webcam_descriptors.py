"""The USB 2.0 and UVC 1.0 descriptors of the rig's camera.

Section numbers are those of "USB Device Class Definition for Video Devices", revision 1.0a.
"""

import struct

# The rates a size is offered at, as frame intervals in units of 100 ns.
INTERVALS = (333333, 400000, 666666, 1000000, 2000000)

# A payload must fit one request block, and uvcvideo's bulk ones hold 32 packets of 512 bytes.
PAYLOAD = 16384

CAMERA_TERMINAL, PROCESSING_UNIT, OUTPUT_TERMINAL = 1, 2, 3
CONTROL_INTERFACE, STREAMING_INTERFACE = 0, 1
BULK_ENDPOINT = 0x81

YUY2_GUID = b"YUY2\x00\x00\x10\x00\x80\x00\x00\xaa\x00\x38\x9b\x71"
CS_INTERFACE = 0x24


def described(layout, *values, tail=b""):
    """A descriptor: its own length, then the values."""
    body = struct.pack("<" + layout, *values) + tail
    return bytes([len(body) + 1]) + body


def device(vendor, product):
    """The device descriptor; strings 1 to 3 are manufacturer, product and serial number."""
    return described(
        "BHBBBBHHHBBBB", 1, 0x0200, 0xEF, 2, 1, 64, vendor, product, 0x0100, 1, 2, 3, 1
    )


def string(text):
    """A string descriptor (USB 2.0, 9.6.7)."""
    return described("B", 3, tail=text.encode("utf-16-le"))


def frame(subtype, index, width, height):
    """A frame descriptor with discrete intervals (payload documents, table 3-2)."""
    size = width * height * 2
    slowest, fastest = 10_000_000 // INTERVALS[-1], 10_000_000 // INTERVALS[0] + 1
    return described(
        "BBBBHHIIIIB",
        CS_INTERFACE, subtype, index, 0, width, height,
        size * 8 * slowest, size * 8 * fastest, size, INTERVALS[0], len(INTERVALS),
        tail=struct.pack(f"<{len(INTERVALS)}I", *INTERVALS),
    )  # fmt: skip


def formats(modes):
    """Format, frame and colour descriptors; `modes` is a list of (kind, [(width, height), ...])."""
    result = b""
    for number, (kind, sizes) in enumerate(modes, 1):
        if kind == "mjpeg":
            result += described("10B", CS_INTERFACE, 6, number, len(sizes), 1, 1, 0, 0, 0, 0)
        else:
            result += described("4B", CS_INTERFACE, 4, number, len(sizes),
                                tail=YUY2_GUID + bytes([16, 1, 0, 0, 0, 0]))  # fmt: skip
        subtype = 7 if kind == "mjpeg" else 5
        for index, (width, height) in enumerate(sizes, 1):
            result += frame(subtype, index, width, height)
        # Colour matching: BT.709 primaries and transfer, the matrix of JPEG.
        result += described("5B", CS_INTERFACE, 0x0D, 1, 1, 4)
    return result


def video_control():
    """Camera terminal -> processing unit -> USB (3.7.2)."""
    # Exposure mode (D1) and exposure time (D3).
    camera = described("BBBHBBHHHB", CS_INTERFACE, 2, CAMERA_TERMINAL, 0x0201, 0, 0, 0, 0, 0, 3,
                       tail=bytes([0x0A, 0, 0]))  # fmt: skip
    # Brightness (D0) and power line frequency (D10).
    processing = described("BBBBHBHB", CS_INTERFACE, 5, PROCESSING_UNIT, CAMERA_TERMINAL, 0, 2,
                           0x0401, 0)  # fmt: skip
    output = described("BBBHBBB", CS_INTERFACE, 3, OUTPUT_TERMINAL, 0x0101, 0, PROCESSING_UNIT, 0)
    units = camera + processing + output
    header = described(
        "BBHHIBB", CS_INTERFACE, 1, 0x0100, 13 + len(units), 48_000_000, 1, STREAMING_INTERFACE
    )
    return header + units


def video_streaming(modes):
    """The input header and what formats there are (3.9.2)."""
    inside = formats(modes)
    count = len(modes)
    return (
        described(
            "BBBHBBBBBBB",
            CS_INTERFACE, 1, count, 13 + count + len(inside), BULK_ENDPOINT, 0, OUTPUT_TERMINAL,
            0, 0, 0, 1, tail=bytes(count),
        )  # fmt: skip
        + inside
    )


def configuration(modes):
    """The whole configuration: a function of two interfaces and one bulk endpoint."""
    body = b"".join(
        (
            described("7B", 11, 0, 2, 0x0E, 3, 0, 0),
            described("8B", 4, CONTROL_INTERFACE, 0, 0, 0x0E, 1, 0, 0),
            video_control(),
            described("8B", 4, STREAMING_INTERFACE, 0, 1, 0x0E, 2, 0, 0),
            video_streaming(modes),
            described("BBBHB", 5, BULK_ENDPOINT, 2, 512, 0),
        )
    )
    return described("BHBBBBB", 2, 9 + len(body), 2, 1, 0, 0x80, 250) + body
