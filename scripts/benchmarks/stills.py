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
    """Median CPU milliseconds of whole processes, in turn.

    Not their memory: at exec a process takes over the peak that this one had.
    """
    figures = {name: [] for name in commands}
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
                figures[name].append((usage.ru_utime + usage.ru_stime) * 1000)
    return {name: sorted(times)[len(times) // 2] for name, times in figures.items()}


def opencv(kind, raw, quality):
    """A job for OpenCV, on one thread."""
    code = {"yuyv": cv2.COLOR_YUV2BGR_YUYV, "nv12": cv2.COLOR_YUV2BGR_NV12}[kind]
    picture = raw.reshape((1080, 1920, 2) if kind == "yuyv" else (1620, 1920))

    def job():
        turned = cv2.rotate(cv2.cvtColor(picture, code), cv2.ROTATE_90_CLOCKWISE)
        return cv2.imencode(".jpg", turned, [cv2.IMWRITE_JPEG_QUALITY, quality])[1].tobytes()
    return job


def timed(job, rounds=ROUNDS):
    times = []
    for _ in range(rounds + 2):
        start = time.thread_time()
        job()
        times.append((time.thread_time() - start) * 1000)
    return sorted(times[2:])[rounds // 2]


def wall(job, rounds=ROUNDS):
    times = []
    for _ in range(rounds):
        start = time.perf_counter()
        job()
        times.append((time.perf_counter() - start) * 1000)
    return min(times)


def psnr(jpeg, luma):
    """Of luma, against the raw frame's, turned and brought to JPEG's range."""
    wanted = numpy.rot90((luma.astype(float) - 16) * 255 / 219, -1)
    image = Image.open(io.BytesIO(jpeg))
    image.draft("L", image.size)
    error = ((numpy.asarray(image).astype(float) - wanted) ** 2).mean()
    return 10 * math.log10(255 ** 2 / error)


def equal(encode, wanted):
    """The lowest quality whose PSNR is that of the still, or nearly."""
    for quality in range(85, 101):
        if encode(quality)[1] >= wanted - 0.1:
            return quality
    return 100


def raw_stills(args, directory, luma, rows):
    for kind, name in (("yuyv", "YUYV"), ("nv12", "NV12")):
        source, output = directory / f"1080p.{kind}", directory / f"{kind}.jpg"
        own = bench(args.bench, "raw", f"{name}:1920x1080", source, 95, output, ROUNDS)
        quality = psnr(output.read_bytes(), luma)
        frame = numpy.fromfile(source, numpy.uint8)
        peer = equal(lambda q: (q, psnr(opencv(kind, frame, q)(), luma)), quality)
        theirs = timed(opencv(kind, frame, peer))
        still = own["still"]["median_ms"]
        rows.append((f"{name} 1080p to portrait, in process", "retake", still, ""))
        rows.append(("", f"OpenCV, quality {peer}", theirs, f"{theirs / still:.2f} times"))
        # On a machine where others work, too, the best of many is what says something.
        one, all_cores = (own[f"still, wall, {which}"]["best_ms"] for which in ("one core", "all cores"))
        theirs = wall(opencv(kind, frame, peer))
        rows.append(("  by the clock, best", "retake, one core", one, f"{theirs / one:.2f} times"))
        rows.append(("", "retake, all cores", all_cores, f"{theirs / all_cores:.2f} times"))
        rows.append(("", "OpenCV", theirs, ""))
        many = directory / f"many.{kind}"
        many.write_bytes(source.read_bytes() * 20)
        pixel = "yuyv422" if kind == "yuyv" else "nv12"

        def ffmpeg(path, scale, *more):
            return ["ffmpeg", "-v", "error", "-threads", "1", "-f", "rawvideo", "-pix_fmt", pixel,
                    "-s", "1920x1080", "-i", path, "-vf", "transpose=1,scale=out_range=full",
                    "-pix_fmt", "yuvj420p", "-c:v", "mjpeg", "-q:v", scale, "-threads", "1", *more]

        # ffmpeg's scale runs the other way: the coarsest that is as good.
        chosen = 1
        for scale in range(1, 12):
            made = directory / "ffmpeg.jpg"
            subprocess.run(ffmpeg(source, str(scale), "-y", "-frames:v", "1", made), check=True)
            if psnr(made.read_bytes(), luma) < quality - 0.1:
                break
            chosen = scale
        figures = processes({
            "one": ffmpeg(source, str(chosen), "-f", "null", "-"),
            "many": ffmpeg(many, str(chosen), "-f", "null", "-")}, 5)
        each = (figures["many"] - figures["one"]) / 19
        rows.append(("", f"ffmpeg, scale {chosen}, a frame of 20", each, f"{each / still:.2f} times"))


def lossless(args, directory, rows):
    for size in ("1080p", "4k"):
        source = directory / f"{size}.jpg"
        own = bench(args.bench, "lossless", source, ROUNDS if size == "1080p" else 10)
        for what in ("", ", cropped"):
            peer, still = own[f"tjTransform{what}"]["median_ms"], own[f"still{what}"]["median_ms"]
            rows.append((f"lossless 90° of {size} 4:2:2{what}, in process", "tjTransform", peer, ""))
            rows.append(("", "retake, with metadata", still, f"{still / peer:.3f} of it"))
        peaks = [bench(args.bench, "peak", job, source)[job]["peak_kib"]
                 for job in ("tjTransform", "still")]
        rows.append((f"peak memory of {size}", "retake of tjTransform", peaks[1],
                     f"KiB, {peaks[1] / peaks[0]:.3f} of it"))
        made = directory / "made.jpg"
        exif = directory / "exif.jpg"
        exif.write_bytes(source.read_bytes())
        subprocess.run(["exiftool", "-q", "-n", "-overwrite_original", "-Orientation=6", exif],
                       check=True)
        figures = processes({
            "retake still": [args.retake, "still", source, "--output", made, "--mount", "90",
                             "--mirror", "none", "--enforce", "off"],
            "jpegtran": ["jpegtran", "-rotate", "90", "-trim", "-outfile", made, source],
            "exiftran": ["exiftran", "-a", "-o", made, exif]})
        for name, milliseconds in figures.items():
            rows.append((f"{size}, whole process", name, milliseconds, ""))


def gate(args, directory, rows):
    for size in ("480p", "720p", "1080p"):
        own = bench(args.bench, "gate", directory / f"{size}-nodht.mjpeg", 60)
        for warm in ("", ", warm"):
            copy, gate = own[f"memcpy{warm}"]["median_ms"], own[f"gate and repair{warm}"]["median_ms"]
            rows.append((f"gate and repair of 64 frames {size}{warm}", "retake", gate,
                         f"{gate / copy:.2f} times memcpy"))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bench", required=True)
    parser.add_argument("--retake", required=True)
    parser.add_argument("--directory", required=True, type=pathlib.Path)
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    cv2.setNumThreads(1)
    luma = inputs(args.directory)
    rows = []
    raw_stills(args, args.directory, luma, rows)
    # Both jobs run in one process: large blocks come fresh from the kernel for both, as for a
    # single photo, or one would find what the other has left.
    os.environ["MALLOC_MMAP_THRESHOLD_"] = "100000"
    lossless(args, args.directory, rows)
    del os.environ["MALLOC_MMAP_THRESHOLD_"]
    gate(args, args.directory, rows)
    if args.json:
        print(json.dumps([dict(zip(("what", "who", "value", "note"), row)) for row in rows]))
        return
    for what, who, value, note in rows:
        print(f"{what:48} {who:32} {value:10.2f}  {note}")


if __name__ == "__main__":
    main()
