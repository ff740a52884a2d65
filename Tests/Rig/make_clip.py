"""Makes a camera clip of numbered frames: `make_clip.py NAME FOLDER` writes FOLDER/NAME.mjpeg.

A clip is JPEG frames one after the other, as a webcam sends them. The name says what they are:

    480p|720p|1080p - 420|422|444 [-nodht] [-FRAMES]

`nodht`: without Huffman tables, as most USB cameras send them. 512 frames unless the name tells.
Frame N carries the number N (frame_number.py) above a photograph from Tests/Data that moves from
frame to frame. The same Pillow gives the same bytes. A clip that is there and newer than what
it is made from is left alone. FOLDER/NAME.index lists each frame's offset and length, so that a
player need not search a large file. Needs Pillow (python3-pil).
"""

import io
import math
import os
import pathlib
import re
import sys

from PIL import Image

import frame_number
import jpeg_segments

HERE = pathlib.Path(__file__).resolve().parent
BACKGROUNDS = HERE.parent / "Data" / "backgrounds"
SIZES = {"480p": (640, 480), "720p": (1280, 720), "1080p": (1920, 1080)}
# Pillow's numbers for them.
SUBSAMPLINGS = {"444": 0, "422": 1, "420": 2}
QUALITY = 80
# How far the photograph moves, and for how many frames one is shown.
TRAVEL, SHOWN = 96, 32


def parse(name):
    """Size, subsampling, whether the tables stay, and the number of frames."""
    match = re.fullmatch(r"(480p|720p|1080p)-(420|422|444)(-nodht)?(?:-(\d+))?", name)
    if not match:
        sys.exit(f"make_clip.py: no clip is called {name}\n{__doc__}")
    frames = int(match[4] or 512)
    if not 0 < frames <= 1 << frame_number.BITS:
        sys.exit(f"make_clip.py: {frames} frames have no number of {frame_number.BITS} bits")
    return SIZES[match[1]], SUBSAMPLINGS[match[2]], not match[3], frames


def scenes(size):
    """The photographs, scaled to cover a frame and its travel."""
    width, height = size[0] + TRAVEL, size[1] + TRAVEL
    for path in sorted(BACKGROUNDS.glob("*.jpg")):
        with Image.open(path) as photograph:
            scale = max(width / photograph.width, height / photograph.height)
            yield photograph.convert("RGB").resize(
                (math.ceil(photograph.width * scale), math.ceil(photograph.height * scale)),
                Image.BICUBIC,
            )


def frames(size, subsampling, tables, count):
    """The clip's frames, encoded."""
    width, height = size
    photographs = list(scenes(size))
    cell_width, cell_height = frame_number.cell_size(height)
    start = frame_number.first_cell(width, height)
    cells = [Image.new("RGB", (cell_width, cell_height), shade) for shade in ("black", "white")]
    for number in range(count):
        photograph = photographs[number // SHOWN % len(photographs)]
        turn = 2 * math.pi * number / SHOWN
        x = (photograph.width - width - TRAVEL) // 2 + round(TRAVEL / 2 * (1 + math.cos(turn)))
        y = (photograph.height - height - TRAVEL) // 2 + round(TRAVEL / 2 * (1 + math.sin(turn)))
        frame = photograph.crop((x, y, x + width, y + height))
        for index, bit in enumerate(frame_number.bits(number)):
            frame.paste(cells[bit], (start + index * cell_width, 0))
        buffer = io.BytesIO()
        frame.save(buffer, "JPEG", quality=QUALITY, subsampling=subsampling)
        encoded = buffer.getvalue()
        yield encoded if tables else jpeg_segments.without_tables(encoded)


def newest_source():
    """When what a clip depends on was last changed."""
    names = ("make_clip.py", "frame_number.py", "jpeg_segments.py")
    sources = [*(HERE / name for name in names), *BACKGROUNDS.iterdir()]
    return max(source.stat().st_mtime for source in sources)


def main(name, folder):
    details = parse(name)
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    clip, index = folder / f"{name}.mjpeg", folder / f"{name}.index"
    if clip.exists() and index.exists() and clip.stat().st_mtime >= newest_source():
        return
    print(f"make_clip.py: making {clip}", file=sys.stderr)
    draft = folder / f".{name}.{os.getpid()}"
    places, offset = [], 0
    with open(draft, "wb") as output:
        for frame in frames(*details):
            output.write(frame)
            places.append(f"{offset} {len(frame)}\n")
            offset += len(frame)
    index.write_text("".join(places))
    os.replace(draft, clip)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
