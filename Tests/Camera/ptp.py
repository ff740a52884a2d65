"""PTP's numbers and data, as ISO 15740 and libgphoto2's documentation of the protocol tell them."""

import struct

OK, GENERAL_ERROR, NOT_SUPPORTED = 0x2001, 0x2002, 0x2005
INVALID_OBJECT, STORE_FULL, BUSY, INVALID_PARAMETER = 0x2009, 0x200C, 0x2019, 0x201D
NO_THUMBNAIL, CAPTURE_REFUSED = 0x2010, 0x200F

JPEG, RAW = 0x3801, 0xB103
OBJECT_ADDED, STORE_FULL_EVENT, CAPTURE_COMPLETE = 0x4002, 0x400A, 0x400D


def pack(form, *values):
    """Returns little-endian bytes."""
    return struct.pack("<" + form, *values)


def unpack(form, data):
    """Returns the values at the beginning of the data."""
    return struct.unpack_from("<" + form, data)


def text(words):
    """Returns a PTP string: a count of UTF-16 characters with the zero, and the characters."""
    if not words:
        return b"\0"
    coded = (words[:254] + "\0").encode("utf-16-le")
    return bytes([len(coded) // 2]) + coded


def array(form, values):
    """Returns a PTP array of numbers."""
    return pack("I", len(values)) + b"".join(pack(form, value) for value in values)


def device_info(extension, operations, events, properties, maker, model, serial):
    """Returns the DeviceInfo dataset."""
    return (pack("HIH", 100, extension, 100) + text("") + pack("H", 0)
            + array("H", operations) + array("H", events) + array("H", properties)
            + array("H", [JPEG]) + array("H", [JPEG, RAW])
            + text(maker) + text(model) + text("1.0") + text(serial))


def storage_info(room):
    """Returns the StorageInfo dataset of a removable card with `room` bytes left."""
    return pack("HHHQQI", 4, 3, 0, 32 << 30, room, 0xFFFFFFFF) + text("card") + text("")


def object_info(storage, form, size, width, height, name, date):
    """Returns the ObjectInfo dataset."""
    return (pack("IHHIHIIIIIIIHII", storage, form, 0, size, JPEG, 0, 0, 0, width, height, 24, 0, 0,
                 0, 0) + text(name) + text(date) + text(date) + text(""))
