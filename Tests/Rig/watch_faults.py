"""Measures how a program handles a planned series of faults, and prints JSON.

    watch_faults.py --program retake|v4l2-ctl|ffmpeg|ustreamer --node /dev/videoN --log FRAMES ...

The camera (webcam.py, with its --faults) has logged each frame that it sent. The program's output
is judged by its bytes: a whole picture of the clip is good, with or without padding behind it;
anything else is damaged. Retake's frames are judged by its own log, whose numbers are the driver's
and so the camera's, because it hands pictures to viewers in this process only.
"""

import argparse
import collections
import hashlib
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import time

from station import Station
from webcam_frames import Clip

DAMAGED = ("cut50", "cut95", "garbage", "tiny")
PORT = 8099


class Sent:
    """The frames that the camera sends after this object is created."""

    def __init__(self, path):
        self.path, self.start = path, os.path.getsize(path)

    def rows(self):
        """(index, number, fault) of the whole frames of the last stream."""
        with open(self.path) as log:
            log.seek(self.start)
            rows = [line.split() for line in log if line.endswith("\n") and line[0] != "#"]
        rows = [(int(r[0]), int(r[1]), r[5]) for r in rows if r[5] != "aborted"]
        starts = [n for n, row in enumerate(rows) if n and row[0] < rows[n - 1][0]]
        return rows[starts[-1] if starts else 0 :]

    def wait(self, frames, seconds=240):
        end = time.monotonic() + seconds
        while True:
            rows = self.rows()
            if rows and rows[-1][0] >= frames:
                return
            if time.monotonic() > end:
                sys.exit(f"the camera sent {len(rows)} of {frames} frames in {seconds} s")
            time.sleep(0.2)


class Pictures:
    """Tells a clip's pictures from anything else."""

    def __init__(self, path):
        clip = Clip(path)
        self.numbers = {self.digest(clip[n]): n for n in range(len(clip))}

    @staticmethod
    def digest(data):
        return hashlib.blake2b(data, digest_size=12).digest()

    def number(self, data):
        """The number of the picture, None if it is damaged; zeros behind it are no damage."""
        found = self.numbers.get(self.digest(data))
        if found is None:
            found = self.numbers.get(self.digest(data.rstrip(b"\0")))
        return found


def run_retake(options, sent, pictures):
    log = os.path.join(options.directory, "frame-log")
    if os.path.exists(log):
        os.remove(log)
    station = Station(
        options.retake, options.node, options.directory, os.path.join(options.directory, "photos"),
        size="1280x720", frame_log=log)
    sent.wait(options.frames)
    counts = station.status()["camera"]
    station.stop()
    with open(log) as file:
        rows = [line.split() for line in file]
    # A stream that was started again counts from 0 again, here and in the camera's log: the last
    # one is judged, as it is for the others.
    starts = [n for n, row in enumerate(rows) if n and int(row[0]) < int(rows[n - 1][0])]
    restarts, rows = len(starts), rows[starts[-1] if starts else 0 :]
    fates = {int(row[0]): row[4] for row in rows}
    published = [number for number, fate in fates.items() if fate in ("clean", "repairable")]
    skipped = [number for number, fate in fates.items() if fate == "skipped"]
    # The driver counts frames as the camera does, so its numbers name the camera's frames.
    by_index = {index: fault for index, _, fault in sent.rows()}
    return {
        "damaged": sum(by_index.get(number) in DAMAGED for number in published),
        "good": {number for number in published if by_index.get(number) not in DAMAGED},
        "skipped": set(skipped), "seen": set(fates),
        "fates": dict(collections.Counter(fates.values())), "counts": counts, "restarts": restarts,
    }


def by_content(frames, sent, pictures):
    """Judges the frames by their bytes, in the order of their arrival."""
    waiting = collections.deque(sent.rows())
    damaged, good = 0, set()
    for data in frames:
        number = pictures.number(data)
        if number is None:
            damaged += 1
            continue
        # The numbers of a clip come round again: the next such frame that was sent is meant.
        for place, (index, candidate, _) in enumerate(waiting):
            if candidate == number:
                good.add(index)
                for _ in range(place + 1):
                    waiting.popleft()
                break
    return {"damaged": damaged, "good": good}


def run_v4l2_ctl(options, sent, pictures):
    """Each frame is written with its length before it."""
    path = os.path.join(options.directory, "frames.bin")
    process = subprocess.Popen(
        ["v4l2-ctl", "-d", options.node, "--set-fmt-video=width=1280,height=720,pixelformat=MJPG",
         "--set-parm=30", "--stream-mmap=4", f"--stream-count={options.frames * 3}",
         f"--stream-to-hdr={path}"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    sent.wait(options.frames)
    process.terminate()
    process.wait()
    data = pathlib.Path(path).read_bytes()
    os.remove(path)
    frames, position = [], 0
    while position + 8 <= len(data):
        # A magic word, then how many bytes follow, both in network order.
        length = int.from_bytes(data[position + 4 : position + 8], "big")
        # The last one may be half written.
        if position + 8 + length <= len(data):
            frames.append(data[position + 8 : position + 8 + length])
        position += 8 + length
    return by_content(frames, sent, pictures)


def run_ffmpeg(options, sent, pictures):
    """The image2 muxer writes each packet as a file of its own."""
    folder = os.path.join(options.directory, "packets")
    os.makedirs(folder, exist_ok=True)
    process = subprocess.Popen(
        ["ffmpeg", "-nostdin", "-v", "error", "-f", "v4l2", "-input_format", "mjpeg",
         "-video_size", "1280x720", "-framerate", "30", "-i", options.node, "-c", "copy",
         "-copyts", "-f", "image2", os.path.join(folder, "%06d.jpg")],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    sent.wait(options.frames)
    process.terminate()
    process.wait()
    names = sorted(os.listdir(folder))
    frames = [pathlib.Path(folder, name).read_bytes() for name in names]
    for name in names:
        os.remove(os.path.join(folder, name))
    return by_content(frames, sent, pictures)


def run_ustreamer(options, sent, pictures):
    """Runs ustreamer with one viewer that records its stream."""
    process = subprocess.Popen(
        ["ustreamer", "-d", options.node, "-m", "MJPEG", "-r", "1280x720", "-f", "30", "-c", "HW",
         "-p", str(PORT), "--log-level", "0"],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    path = os.path.join(options.directory, "stream")
    viewer = subprocess.Popen(
        ["curl", "-s", "-N", "-o", path, "--retry", "50", "--retry-delay", "1",
         "--retry-connrefused", f"http://127.0.0.1:{PORT}/stream"], stderr=subprocess.DEVNULL)
    sent.wait(options.frames)
    viewer.terminate()
    viewer.wait()
    process.send_signal(signal.SIGINT)
    process.wait()
    data, frames, position = pathlib.Path(path).read_bytes(), [], 0
    os.remove(path)
    for match in re.finditer(rb"Content-Length: (\d+)\r\n.*?\r\n\r\n", data, re.DOTALL):
        # Bytes inside a picture that look like a header are skipped.
        if match.start() < position:
            continue
        position = match.end() + int(match[1])
        frames.append(data[match.end() : position])
    # The same picture may come twice; the picture that stands in for the camera is no frame of it.
    distinct = [data for place, data in enumerate(frames) if not place or data != frames[place - 1]]
    return by_content(distinct[1:], sent, pictures)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True)
    parser.add_argument("--retake")
    for name in ("node", "log", "clip", "directory"):
        parser.add_argument("--" + name, required=True)
    parser.add_argument("--frames", type=int, default=640)
    options = parser.parse_args()
    sent = Sent(options.log)
    pictures = Pictures(options.clip)
    run = globals()["run_" + options.program.replace("-", "_")]
    found = run(options, sent, pictures)
    rows = sent.rows()
    # From the first frame that was published on, to the last of the plan: before and after it,
    # programs start and end.
    first = min(found["good"], default=0)
    good = {i for i, _, fault in rows if fault not in DAMAGED and first <= i < options.frames}
    missing = good - found["good"] - found.get("skipped", set())
    # A frame that the driver never delivered does not count against the program.
    undelivered = missing - found["seen"] if "seen" in found else set()
    result = {
        "program": options.program, "framesSent": sum(1 for i, _, _ in rows if i < options.frames),
        "damagedSent": sum(1 for i, _, f in rows if f in DAMAGED and i < options.frames),
        "damagedPublished": found["damaged"], "goodDropped": len(missing - undelivered),
        "lostBeforeTheProgram": len(undelivered),
        "firstPublished": first,
    }
    for name in ("fates", "counts", "restarts"):
        if name in found:
            result[name] = found[name]
    print(json.dumps(result))


if __name__ == "__main__":
    main()
