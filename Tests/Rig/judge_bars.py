"""Are vivid's colour bars right in these photos? `judge_bars.py FILE.jpg...`

The photos show the eight bars as `mount = 90` turns them: from top to bottom, over the whole
height. Inside of each bar, away from its edges, every pixel must be within 3 of the bar's colour.
A bar is flat there, so that JPEG itself adds less than half a step: this judges the samples as they
were before encoding.

The right colour is what vivid's own samples mean (ITU-R BT.601, narrow range): it cuts off where
others round, which alone moves blue by 3.5. So both are held against it: Y, Cb and Cr against the
colours as they are defined, R, G and B against those of vivid's samples. Needs Pillow.
"""

import sys

from PIL import Image

# "CSC Colorbar", as drivers/media/common/v4l2-tpg defines it, in R'G'B' of sRGB.
BARS = [
    (191, 191, 191), (191, 191, 50), (50, 191, 191), (50, 191, 50),
    (191, 50, 191), (191, 50, 50), (50, 50, 191), (50, 50, 50),
]
# The same as vivid sends them, in narrow-range Y, Cb, Cr.
SAMPLES = [
    (179, 128, 128), (165, 66, 138), (143, 148, 66), (129, 87, 76),
    (108, 168, 179), (94, 107, 189), (72, 189, 117), (58, 128, 128),
]
TOLERANCE = 3


def luma(colour, red, green, blue):
    return red * colour[0] + green * colour[1] + blue * colour[2]


def ycc(colour):
    """Full-range BT.601, as JFIF has it."""
    y = luma(colour, 0.299, 0.587, 0.114)
    return y, 128 + (colour[2] - y) / 1.772, 128 + (colour[0] - y) / 1.402


def rgb(y, blue, red):
    """R'G'B' of full-range BT.601, without the rounding that a decoder adds."""
    blue, red = blue - 128, red - 128
    return y + 1.402 * red, y - 0.344136 * blue - 0.714136 * red, y + 1.772 * blue


def widened(y, blue, red):
    return (y - 16) * 255 / 219, 128 + (blue - 128) * 255 / 224, 128 + (red - 128) * 255 / 224


def off(got, wanted):
    return max(abs(a - b) for a, b in zip(got, wanted))


def judge(path):
    """The greatest error in the photo, and where."""
    with Image.open(path) as image:
        image.draft("YCbCr", image.size)
        is_grey = image.mode == "L"
        image = image if is_grey else image.convert("YCbCr")
        width, height = image.size
        if height <= width:
            return 999, f"{width}x{height} is not portrait"
        worst = (0.0, "")
        for index, colour in enumerate(BARS):
            top, bottom = height * index / 8, height * (index + 1) / 8
            # A whole chroma block lies between these and the bar's edges.
            part = image.crop((16, round(top + 16), width - 16, round(bottom - 16)))
            for count, sample in part.getcolors(1 << 20):
                if "GREY" in path:
                    # vivid's grey is BT.709's, in full range.
                    wanted = luma(colour, 0.2126, 0.7152, 0.0722)
                    got = (sample,) if is_grey else rgb(*sample)
                    error = off(got, (wanted,) * 3)
                else:
                    got = rgb(*sample)
                    error = max(
                        off(sample, ycc(colour)), off(got, rgb(*widened(*SAMPLES[index]))))
                if error > worst[0]:
                    shown = ", ".join(f"{value:.0f}" for value in got)
                    worst = (error, f"bar {index} is {shown} and should be {colour}")
        return worst


def main(paths):
    failed = False
    for path in paths:
        error, where = judge(path)
        failed = failed or error > TOLERANCE
        verdict = "FAILED" if error > TOLERANCE else "ok"
        print(f"{verdict} {path.rsplit('/', 1)[-1]}: at most {error:.1f} off; {where}")
    return 1 if failed else 0


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1:]))
