"""Are vivid's colour bars right in these photos? `judge_bars.py [--grey] FILE.jpg...`

The photos show the eight bars as `mount = 90` turns them: from top to bottom, over the whole
height. Inside of each bar, away from its edges, every pixel must be within 3 of the bar's colour.
A bar is flat there, so that JPEG itself adds less than half a step: this judges the samples as they
were before encoding. Needs Pillow.
"""

import argparse
import sys

from PIL import Image

# "CSC Colorbar", as drivers/media/common/v4l2-tpg defines it, in R'G'B' of sRGB.
BARS = [
    (191, 191, 191), (191, 191, 50), (50, 191, 191), (50, 191, 50),
    (191, 50, 191), (191, 50, 50), (50, 50, 191), (50, 50, 50),
]
TOLERANCE = 3


def luma(colour):
    """BT.601, as JFIF has it."""
    red, green, blue = colour
    return 0.299 * red + 0.587 * green + 0.114 * blue


def rgb(sample):
    """R'G'B' of full-range BT.601 YCbCr, without the rounding that a decoder adds."""
    y, blue, red = sample[0], sample[1] - 128, sample[2] - 128
    return y + 1.402 * red, y - 0.344136 * blue - 0.714136 * red, y + 1.772 * blue


def judge(path, grey):
    """The greatest error in the photo, and in which bar."""
    with Image.open(path) as image:
        image.draft("YCbCr", image.size)
        image = image if image.mode == "L" else image.convert("YCbCr")
        width, height = image.size
        if height <= width:
            return 999, f"{width}x{height} is not portrait"
        worst = (0.0, "")
        for index, colour in enumerate(BARS):
            top, bottom = height * index / 8, height * (index + 1) / 8
            # A whole chroma block lies between these and the bar's edges.
            part = image.crop((16, round(top + 16), width - 16, round(bottom - 16)))
            wanted = (luma(colour),) * 3 if grey else colour
            for count, sample in part.getcolors(1 << 20):
                got = (sample,) * 3 if image.mode == "L" else rgb(sample)
                error = max(abs(a - b) for a, b in zip(got, wanted))
                if error > worst[0]:
                    shown = ", ".join(f"{value:.1f}" for value in got)
                    worst = (error, f"bar {index}: {shown} for {wanted}, {count} pixels")
        return worst


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--grey", action="store_true", help="only the brightness is there")
    parser.add_argument("files", nargs="+")
    options = parser.parse_args()
    failed = False
    for path in options.files:
        grey = options.grey or "GREY" in path
        error, where = judge(path, grey)
        failed = failed or error > TOLERANCE
        verdict = "FAILED" if error > TOLERANCE else "ok"
        print(f"{verdict} {path.rsplit('/', 1)[-1]}: at most {error:.1f} off; {where}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
