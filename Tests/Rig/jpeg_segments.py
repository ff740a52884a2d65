"""As much of JPEG's structure as the tests need, with the standard library only."""

SOI, EOI = b"\xff\xd8", b"\xff\xd9"
APP0, DHT, SOS = 0xE0, 0xC4, 0xDA

# The first segment in AVI files and from many USB cameras, instead of JFIF.
AVI1 = b"\xff\xe0\x00\x10AVI1\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"


def segments(frame):
    """(marker, start, end) of the segments between SOI and the scan's data, SOS included."""
    position = 2
    while position + 4 <= len(frame) and frame[position] == 0xFF:
        marker = frame[position + 1]
        end = position + 2 + int.from_bytes(frame[position + 2 : position + 4], "big")
        yield marker, position, end
        if marker == SOS:
            return
        position = end


def without_tables(frame):
    """The frame as most USB cameras send it: no Huffman tables (the standard ones are meant), and
    an AVI1 segment for JFIF's."""
    kept, scan = [SOI, AVI1], len(frame)
    for marker, start, end in segments(frame):
        if marker not in (APP0, DHT):
            kept.append(frame[start:end])
        scan = end
    return b"".join(kept) + frame[scan:]


def split(clip):
    """(start, end) of each frame in a file of JPEG frames one after the other."""
    places = []
    start = clip.find(SOI + b"\xff")
    while start >= 0:
        # Inside a scan, FF is followed by 00 or a restart marker: the next SOI starts a frame.
        following = clip.find(SOI + b"\xff", start + 2)
        places.append((start, following if following >= 0 else len(clip)))
        start = following
    return places
