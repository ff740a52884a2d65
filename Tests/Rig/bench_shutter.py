"""How far from a press is the frame of the photo? Retake, and what scripts do today; in the guest.

Every contender gets the same presses of the same simulated line, and the same USB camera. The
number in the picture says which frame it is, the camera's log when that was on the wire.
"""

import argparse
import json
import os
import random
import subprocess
import sys
import threading
import time
import urllib.request

from buttons import Line, ask, expect, status, wait_status
from judge_shot import frames
from read_number import number_in

PORT = 8080


def quantile(values, share):
    return values[min(len(values) - 1, int(share * len(values)))]


class Camera:
    """The log of the USB camera."""

    def __init__(self, path):
        self.path = path

    def distance(self, number, press):
        """Milliseconds from the press to when the frame with that number was on the wire."""
        near = [begin for sent, begin, _ in frames(self.path) if sent == number]
        return (min(near, key=lambda begin: abs(begin - press)) - press) / 1e6 if near else None


class Watch:
    """gpiomon, whose first line after a press starts everything in the scripts."""

    def __init__(self, chip):
        version = subprocess.run(["gpiomon", "--version"], capture_output=True, text=True).stdout
        old = " v1." in version
        options = (
            ["-f", "-b", "-B", "pull-up", chip, "17"] if old
            else ["-e", "falling", "-b", "pull-up", "-c", chip, "17"])
        self.process = subprocess.Popen(["gpiomon", *options], stdout=subprocess.PIPE, text=True)
        expect(self.holds, "gpiomon does not take the line")

    @staticmethod
    def holds():
        return "gpiomon" in subprocess.run(["gpioinfo"], capture_output=True, text=True).stdout

    def wait(self):
        self.process.stdout.readline()

    def close(self):
        self.process.kill()
        self.process.wait()


class Streamer:
    """ustreamer, left running."""

    def __init__(self, camera):
        self.process = subprocess.Popen(
            ["ustreamer", "-d", camera, "-r", "1280x720", "-m", "MJPEG", "-c", "HW", "-f", "30",
             "--host", "127.0.0.1", "--port", str(PORT), "--no-log-colors"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        expect(self.streams, "ustreamer does not stream", 60)

    @staticmethod
    def streams():
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{PORT}/state", timeout=2) as answer:
                return json.load(answer)["result"]["source"]["online"]
        except OSError:
            return False

    def close(self):
        self.process.terminate()
        self.process.wait()


class Resident(threading.Thread):
    """Reads ustreamer's stream and keeps the newest frame."""

    def __init__(self):
        super().__init__(daemon=True)
        self.newest = None
        self.start()
        expect(lambda: self.newest is not None, "the stream has no frames", 60)

    def run(self):
        with urllib.request.urlopen(f"http://127.0.0.1:{PORT}/stream") as stream:
            while True:
                length = 0
                while (line := stream.readline().strip().lower()) or not length:
                    if line.startswith(b"content-length:"):
                        length = int(line.split(b":")[1])
                self.newest = stream.read(length)


def scripted(options, take):
    """Distances of a script that waits for gpiomon and then calls `take(FILE)`."""
    camera, chance, distances = Camera(options.log), random.Random(2), []
    line, watch = Line(options.pulls, 17), Watch(options.chip)
    line.set(False)
    file = f"{options.folder}/peer.jpg"
    for _ in range(options.presses):
        time.sleep(chance.uniform(0.3, 0.4))
        press, _ = line.set(True)
        watch.wait()
        take(file)
        line.set(False)
        number = number_in(file)
        distances.append(None if number is None else camera.distance(number, press))
        os.remove(file)
    watch.close()
    return distances


def run(*words):
    subprocess.run(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=60)


def v4l2_ctl(options):
    run("v4l2-ctl", "-d", options.camera, "--set-fmt-video=width=1280,height=720,pixelformat=MJPG",
        "--set-parm=30")
    return scripted(options, lambda file: run(
        "v4l2-ctl", "-d", options.camera, "--stream-mmap", "--stream-count=1",
        f"--stream-to={file}"))


def fswebcam(options):
    return scripted(options, lambda file: run(
        "fswebcam", "-q", "-d", options.camera, "-r", "1280x720", "--no-banner", file))


def snapshot(options):
    streamer = Streamer(options.camera)
    try:
        return scripted(options, lambda file: run(
            "curl", "-s", "-o", file, f"http://127.0.0.1:{PORT}/snapshot"))
    finally:
        streamer.close()


def resident(options):
    streamer = Streamer(options.camera)
    reader = Resident()

    def take(file):
        with open(file, "wb") as picture:
            picture.write(reader.newest)

    try:
        return scripted(options, take)
    finally:
        streamer.close()


def retake(options):
    path, distances = f"{options.folder}/socket", []
    station = subprocess.Popen(
        [options.retake, "run", "--json", "--config", options.config], stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL)
    expect(lambda: os.path.exists(path), "the station does not start", 60)
    wait_status(path, lambda s: s["camera"]["state"] == "streaming", "the camera", 60)
    camera, chance = Camera(options.log), random.Random(2)
    shutter, accept = Line(options.pulls, 17), Line(options.pulls, 5)
    for count in range(1, options.presses + 1):
        time.sleep(chance.uniform(0.3, 0.4))
        press, _ = shutter.set(True)
        time.sleep(0.06)
        shutter.set(False)
        wait_status(path, lambda s: s["state"] == "reviewing", f"review {count}")
        time.sleep(0.85)
        accept.set(True)
        time.sleep(0.06)
        accept.set(False)
        photo = wait_status(path, lambda s: s["photos"] == count, f"photo {count}")["lastPhoto"]
        distances.append(camera.distance(number_in(photo["path"]), press))
    ask(path, "quit")
    station.wait()
    return distances


def idle(options):
    """Processor time of a station with armed buttons and no camera, as a share of one core."""
    config = f"{options.folder}/idle.toml"
    with open(options.config) as source, open(config, "w") as file:
        file.write(source.read().replace(options.camera, "/dev/video99"))
    station = subprocess.Popen(
        [options.retake, "run", "--json", "--config", config], stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    path = f"{options.folder}/socket"
    expect(lambda: os.path.exists(path), "the station does not start", 60)
    wait_status(
        path, lambda s: all(b["state"] == "armed" for b in s["panel"]["buttons"]), "the buttons")

    def used():
        with open(f"/proc/{station.pid}/stat") as file:
            words = file.read().rsplit(")", 1)[1].split()
        return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")

    time.sleep(3)
    before, begin = used(), time.monotonic()
    time.sleep(30)
    share = (used() - before) / (time.monotonic() - begin)
    ask(path, "quit")
    station.wait()
    return share


CONTENDERS = {
    "retake": retake, "gpiomon + v4l2-ctl": v4l2_ctl, "gpiomon + fswebcam": fswebcam,
    "gpiomon + curl ustreamer/snapshot": snapshot, "resident client of ustreamer": resident,
}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("retake", "config", "camera", "log", "pulls", "chip", "folder"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("--presses", type=int, default=30)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    results = {}
    for name, contender in CONTENDERS.items():
        print(f"{name} ...", file=sys.stderr, flush=True)
        found = contender(options)
        distances = sorted(abs(value) for value in found if value is not None)
        results[name] = {
            "photos": len(distances), "of": len(found),
            "p50": round(quantile(distances, 0.5), 1) if distances else None,
            "max": round(distances[-1], 1) if distances else None}
    share = idle(options)
    if options.json:
        print(json.dumps({"distances": results, "idleShare": share}))
        return 0
    print("Milliseconds from the press to when the photo's frame was on the wire:\n")
    print(f"{'':36}{'photos':>8}{'p50':>8}{'max':>8}")
    for name, result in results.items():
        print(f"{name:36}{result['photos']:>8}{result['p50']!s:>8}{result['max']!s:>8}")
    print(f"\nProcessor while idle, buttons armed, no camera: {share * 100:.2f} % of a core")
    return 0


if __name__ == "__main__":
    sys.exit(main())
