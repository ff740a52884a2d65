"""Measures how stills are made; see stills.sh. Needs OpenCV, NumPy and Pillow."""

import argparse
import io
import json
import math
import os
import pathlib
import subprocess
import sys
import time

import cv2
import numpy
from PIL import Image

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Tests/Rig"))
import jpeg_segments  # noqa: E402

ROUNDS = 30


def photograph(width, height):
    """A picture with a camera's detail: a photograph, enlarged, with some sensor noise."""
    with Image.open(ROOT / "Tests/Data/backgrounds/coffee.jpg") as source:
        scale = max(width / source.width, height / source.height)
        size = (math.ceil(source.width * scale), math.ceil(source.height * scale))
        large = source.convert("RGB").resize(size, Image.BICUBIC).crop((0, 0, width, height))
    noise = numpy.random.default_rng(1).normal(0, 3, (height, width, 1))
    return Image.fromarray(numpy.clip(numpy.asarray(large) + noise, 0, 255).astype(numpy.uint8))


def inputs(directory):
    """The files that everybody gets."""
    for name, width, height in (("1080p", 1920, 1080), ("4k", 3840, 2160)):
        photograph(width, height).save(directory / f"{name}.jpg", quality=90, subsampling=1)
    for name, width, height in (("480p", 640, 480), ("720p", 1280, 720), ("1080p", 1920, 1080)):
        buffer = io.BytesIO()
        photograph(width, height).save(buffer, "JPEG", quality=80, subsampling=1)
        (directory / f"{name}-nodht.mjpeg").write_bytes(
            jpeg_segments.without_tables(buffer.getvalue()))
    # Full-range planes first; the raw frames hold them in the range that cameras send.
    ycc = numpy.asarray(photograph(1920, 1080).convert("YCbCr")).astype(float)
    luma = numpy.rint(16 + ycc[..., 0] * 219 / 255).astype(numpy.uint8)
    chroma = numpy.rint(128 + (ycc[..., 1:] - 128) * 224 / 255)
    wide = numpy.rint((chroma[:, 0::2] + chroma[:, 1::2]) / 2)
    yuyv = numpy.empty((1080, 1920, 2), numpy.uint8)
    yuyv[..., 0] = luma
    yuyv[:, 0::2, 1] = wide[..., 0]
    yuyv[:, 1::2, 1] = wide[..., 1]
    (directory / "1080p.yuyv").write_bytes(yuyv.tobytes())
    square = numpy.rint((wide[0::2] + wide[1::2]) / 2).astype(numpy.uint8)
    (directory / "1080p.nv12").write_bytes(luma.tobytes() + square.tobytes())
    return luma


def bench(binary, *arguments):
    """Figures of a job inside the process."""
    result = subprocess.run([binary, *map(str, arguments)], capture_output=True, text=True)
    if result.returncode != 0:
        sys.exit(result.stderr)
    return {row["name"]: row for row in map(json.loads, result.stdout.splitlines())}


def processes(commands, rounds=15):
    """Median CPU seconds and peak memory of whole processes, in turn."""
    figures = {name: ([], []) for name in commands}
    for round_number in range(rounds + 1):
        for name, command in commands.items():
            pid = os.fork()
            if pid == 0:
                null = os.open(os.devnull, os.O_RDWR)
                for number in (0, 1, 2):
                    os.dup2(null, number)
                try:
                    os.execvp(command[0], [str(word) for word in command])
                finally:
                    os._exit(127)
            _, status, usage = os.wait4(pid, 0)
            if status != 0:
                sys.exit(f"{name} failed: {command}")
            if round_number:
                figures[name][0].append((usage.ru_utime + usage.ru_stime) * 1000)
                figures[name][1].append(usage.ru_maxrss)
    return {name: (sorted(times)[len(times) // 2], max(memory))
            for name, (times, memory) in figures.items()}
