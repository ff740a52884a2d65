"""Prints the number that each test picture carries: `read_number.py FILE.jpg...`.

Prints `unreadable` for a picture without one, and exits with 1 then. Reads whole frames and centred
portrait crops of full height. Needs Pillow (python3-pil).
"""

import sys

from PIL import Image

import frame_number


def number_in(path):
    """The number in a JPEG file, or None."""
    with Image.open(path) as image:
        luma = image.convert("L")
        pixels = luma.load()
        return frame_number.read(lambda x, y: pixels[x, y], luma.width, luma.height)


def main(paths):
    numbers = [number_in(path) for path in paths]
    for number in numbers:
        print("unreadable" if number is None else number)
    return 1 if None in numbers else 0


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1:]))
