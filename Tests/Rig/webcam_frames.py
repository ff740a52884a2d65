"""The sources of the frames of the rig's camera, and the faults that a frame may have."""

import mmap
import os
import pathlib

import frame_number
import jpeg_segments


class Clip:
    """MJPEG frames from a file. Frame N of a clip of make_clip.py carries the number N."""

    def __init__(self, path):
        path = pathlib.Path(path)
        with open(path, "rb") as file:
            self.bytes = mmap.mmap(file.fileno(), 0, prot=mmap.PROT_READ)
        index = path.with_suffix(".index")
        if index.exists():
            lines = (line.split() for line in index.read_text().splitlines())
            self.places = [(int(start), int(start) + int(length)) for start, length in lines]
        else:
            self.places = jpeg_segments.split(self.bytes)
        if not self.places:
            raise SystemExit(f"webcam.py: {path} holds no JPEG frame")

    def __len__(self):
        return len(self.places)

    def __getitem__(self, number):
        start, end = self.places[number]
        return self.bytes[start:end]


class Raw:
    """YUYV frames that carry their number: brighter to the right, bluer to the bottom."""

    def __init__(self, width, height):
        cell_width, self.cell_height = frame_number.cell_size(height)
        lumas = [32 + 160 * x // width for x in range(width)]
        rows = []
        for y in range(height):
            row = bytearray(width * 2)
            row[0::2] = bytes(lumas)
            row[1::4] = bytes([96 + 96 * y // height]) * (width // 2)
            row[3::4] = bytes([128]) * (width // 2)
            rows.append(bytes(row))
        start = 2 * frame_number.first_cell(width, height)
        self.left, self.right = rows[0][:start], rows[0][width * 2 - start :]
        self.cells = [bytes([shade, 128]) * cell_width for shade in (16, 235)]
        self.rest = b"".join(rows[self.cell_height :])

    def __len__(self):
        return 1 << frame_number.BITS

    def __getitem__(self, number):
        cells = b"".join([self.cells[bit] for bit in frame_number.bits(number)])
        return (self.left + cells + self.right) * self.cell_height + self.rest


def middle_lost(frame):
    """As after dropped packets: the ends are whole, a piece between them is not there."""
    return frame[: len(frame) * 2 // 5] + frame[len(frame) * 3 // 5 :]


# The faults of a frame. A `flagged` frame has good bytes, but its payloads carry the error bit.
FAULTS = {
    "cut50": lambda frame: frame[: len(frame) // 2],
    "cut95": lambda frame: frame[: len(frame) * 95 // 100],
    "garbage": lambda frame: os.urandom(len(frame)),
    "padding": lambda frame: frame + bytes(4096),
    "tail": lambda frame: frame + b"\xd9\x00",
    "lead": lambda frame: bytes(16) + frame,
    "noeoi": lambda frame: frame[:-2],
    "middle": middle_lost,
    "tiny": lambda frame: frame[:64],
    "empty": lambda frame: b"",
    "nodht": jpeg_segments.without_tables,
    "flagged": lambda frame: frame,
}
ALIASES = {"cut": "cut50"}


class FaultPlan:
    """Which frames of a stream are sent with a fault. A line of the file is WHICH FAULT; WHICH is a
    frame's index since the stream started, a range FIRST-LAST, or */N for every Nth."""

    def __init__(self, path=None):
        self.single, self.ranges, self.every = {}, [], []
        lines = pathlib.Path(path).read_text().splitlines() if path else []
        for place, line in enumerate(lines, 1):
            words = line.split("#")[0].split()
            if not words:
                continue
            if len(words) != 2 or ALIASES.get(words[1], words[1]) not in FAULTS:
                raise SystemExit(f"{path}:{place}: want FRAME FAULT, with one of {', '.join(FAULTS)}")
            which, fault = words[0], ALIASES.get(words[1], words[1])
            if which.startswith("*/"):
                self.every.append((int(which[2:]), fault))
            elif "-" in which:
                first, last = map(int, which.split("-"))
                self.ranges.append((first, last, fault))
            else:
                self.single[int(which)] = fault

    def __getitem__(self, index):
        if index in self.single:
            return self.single[index]
        for first, last, fault in self.ranges:
            if first <= index <= last:
                return fault
        for step, fault in self.every:
            if index % step == step - 1:
                return fault
        return None
