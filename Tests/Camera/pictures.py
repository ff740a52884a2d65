"""Pictures of a camera: JPEGs of any size that carry their exposure's moment.

A picture of 24 megapixels takes a second to encode. So a base is encoded once, with a restart
marker after each row of MCUs, and an exposure replaces the first rows only: a strip with the moment
is encoded with the same tables, and its rows take the place of the base's.
"""

import io
import subprocess

from PIL import Image

import moment

QUALITY = 90
# Without subsampling a row of MCUs is 8 pixels high.
ROWS = moment.HEIGHT // 8


def _with_restarts(jpeg):
    """Returns the same picture with a restart marker after each row of MCUs."""
    return subprocess.run(
        ["jpegtran", "-restart", "1", "-copy", "all"], input=jpeg, capture_output=True,
        check=True).stdout


def _encode(image, **options):
    out = io.BytesIO()
    image.save(out, "JPEG", quality=QUALITY, subsampling=0, **options)
    return _with_restarts(out.getvalue())


def _scan(jpeg):
    """Returns the offset of the entropy-coded data."""
    at = 2
    while True:
        marker, length = jpeg[at + 1], int.from_bytes(jpeg[at + 2:at + 4], "big")
        at += 2 + length
        if marker == 0xDA:
            return at


def _rows(jpeg, count):
    """Returns the first rows of MCUs, each without its restart marker, and the offset after them."""
    start = at = _scan(jpeg)
    rows = []
    while len(rows) < count:
        at = jpeg.index(b"\xff", at)
        if 0xD0 <= jpeg[at + 1] <= 0xD7 or jpeg[at + 1] == 0xD9:
            rows.append(jpeg[start:at])
            start = at + 2
        at += 2
    return rows, start - 2


class Pictures:
    """The pictures of one size; `exif` is bytes as Pillow takes them."""

    def __init__(self, width, height, exif=b"", icc=b""):
        self.width, self.height = width, height
        image = Image.linear_gradient("L").resize((width, height)).convert("RGB")
        options = {key: value for key, value in (("exif", exif), ("icc_profile", icc)) if value}
        self.base = _encode(image, **options)
        self.head = self.base[:_scan(self.base)]
        _, self.rest = _rows(self.base, ROWS)

    def at(self, microseconds):
        """Returns the JPEG of an exposure whose centre was then."""
        strip = Image.new("RGB", (self.width, moment.HEIGHT))
        moment.draw(strip, microseconds)
        rows, _ = _rows(_encode(strip), ROWS)
        body = b"".join(
            row + bytes((0xFF, 0xD0 + index % 8)) for index, row in enumerate(rows[:-1]))
        return self.head + body + rows[-1] + self.base[self.rest:]
