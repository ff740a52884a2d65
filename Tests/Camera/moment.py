"""The moment of an exposure, drawn into its picture.

A number of 56 bits (microseconds of CLOCK_MONOTONIC) and a checksum of 8 bits are drawn as 64 white
or black blocks in one row along the picture's top, between two frames of known blocks. The blocks
are large enough to survive JPEG, and the reader tries the four directions of a turned picture.
"""

import io

from PIL import Image, ImageDraw

BITS = 64
# Known blocks before and after the bits; they tell the direction.
HEAD, TAIL = (1, 0, 1, 1), (1, 1, 0, 1)
ROW = len(HEAD) + BITS + len(TAIL)
# The height of the row, in pixels of the picture: two rows of blocks of an MCU.
HEIGHT = 32


def checksum(number):
    """Returns eight bits that a damaged number rarely has."""
    value = 0x5A
    for shift in range(0, 56, 8):
        value = ((value << 1 | value >> 7) & 0xFF) ^ (number >> shift & 0xFF)
    return value


def bits_of(number):
    """Returns the blocks of a number, 1 for white."""
    word = (number & (1 << 56) - 1) << 8 | checksum(number & (1 << 56) - 1)
    return HEAD + tuple(word >> BITS - 1 - index & 1 for index in range(BITS)) + TAIL


def draw(image, number):
    """Draws a number along the image's top, HEIGHT pixels high."""
    pen = ImageDraw.Draw(image)
    width = image.width
    for index, bit in enumerate(bits_of(number)):
        left, right = width * index // ROW, width * (index + 1) // ROW - 1
        pen.rectangle((left, 0, right, HEIGHT - 1), fill="white" if bit else "black")


def _number(image):
    """Returns the number of the row at the image's top, or None."""
    width = image.width
    y = HEIGHT // 2
    grey = [image.getpixel((width * (2 * index + 1) // (2 * ROW), y)) for index in range(ROW)]
    bits = tuple(1 if value > 127 else 0 for value in grey)
    if bits[:len(HEAD)] != HEAD or bits[-len(TAIL):] != TAIL:
        return None
    word = 0
    for bit in bits[len(HEAD):len(HEAD) + BITS]:
        word = word << 1 | bit
    number = word >> 8
    return number if checksum(number) == word & 0xFF else None


def moment_of(picture):
    """Returns the exposure's microseconds from a JPEG's bytes or path, or None."""
    source = io.BytesIO(picture) if isinstance(picture, bytes) else picture
    with Image.open(source) as opened:
        image = opened.convert("L")
    for turned in (image, image.transpose(Image.ROTATE_90), image.transpose(Image.ROTATE_180),
                   image.transpose(Image.ROTATE_270)):
        number = _number(turned)
        if number is not None:
            return number
    return None
