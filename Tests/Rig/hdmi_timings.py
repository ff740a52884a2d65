"""Changes what an HDMI input of vivid gets while a station streams; see hdmi-timings.sh."""

import argparse
import subprocess
import sys
import time

from PIL import Image

from station import Station

# By vivid's control dv_timings: the mode's name, and the size of its pictures.
TIMINGS = {7: "1280x720", 0: "640x480", 23: "800x600"}
CURRENT, NO_SIGNAL, NO_LOCK, SELECTED = 0, 1, 2, 4


class Input:
    """The signal that is connected to the input."""

    def __init__(self, node):
        self.node = node

    def set(self, **controls):
        pairs = ",".join(f"{name}={value}" for name, value in controls.items())
        subprocess.run(["v4l2-ctl", "-d", self.node, "-c", pairs], check=True)

    def timings(self, index):
        self.set(dv_timings=index)
        self.set(dv_timings_signal_mode=SELECTED)


def photo(station, size):
    """Takes one and holds its size against the signal's: a portrait of its height."""
    station.wait_state("idle", "finished", seconds=20)
    accepted, words = station.ask("shutter")
    if not accepted:
        sys.exit(f"the shutter was refused: {words}")
    station.wait_state("reviewing", seconds=20)
    # A first moment in which an accept does not count is part of the review.
    end = time.monotonic() + 10
    while not station.ask("accept")[0]:
        if time.monotonic() > end:
            sys.exit("the photo was never accepted")
        time.sleep(0.1)
    status = station.wait_state("idle", "finished", seconds=20)
    with Image.open(status["lastPhoto"]["path"]) as image:
        image.load()
        if image.height != int(size.split("x")[1]) or image.width >= image.height:
            sys.exit(f"a photo of {image.width}x{image.height} from a signal of {size}")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("retake", "camera", "directory", "photos"):
        parser.add_argument("--" + name, required=True)
    options = parser.parse_args()
    source = Input(options.camera)
    source.timings(7)
    station = Station(options.retake, options.camera, options.directory, options.photos)
    station.wait_line("using ")
    process = station.process.pid
    station.wait_camera("streaming", seconds=20)
    photo(station, TIMINGS[7])

    for index in (0, 23, 7):
        begin = time.monotonic()
        source.timings(index)
        size = TIMINGS[index]
        status = station.wait_status(
            f"frames of {size}", lambda status: status["camera"]["state"] == "streaming"
            and (status["camera"]["mode"] or "").startswith(size), seconds=20)
        published = status["camera"]["framesPublished"]
        station.wait_status(
            "more frames", lambda status: status["camera"]["framesPublished"] > published + 3,
            seconds=20)
        print(f"{size}: goes on after {time.monotonic() - begin:.1f} s, {status['camera']['mode']}")
        photo(station, size)

    for mode, name in ((NO_SIGNAL, "no signal"), (NO_LOCK, "no lock")):
        source.set(dv_timings_signal_mode=mode)
        begin = time.monotonic()
        station.wait_camera("no-signal", seconds=20)
        noticed = time.monotonic() - begin
        accepted, words = station.ask("shutter")
        if accepted:
            sys.exit("a press was taken without a signal")
        begin = time.monotonic()
        source.timings(7)
        station.wait_camera("streaming", seconds=20)
        print(f"{name}: noticed after {noticed:.1f} s, a press is refused ({words}), and it"
              f" streams {time.monotonic() - begin:.1f} s after the signal's return")
        photo(station, TIMINGS[7])
    if station.process.poll() is not None or station.process.pid != process:
        sys.exit("the station did not live through it")
    if status := station.stop():
        sys.exit(f"the station ended with {status}")


if __name__ == "__main__":
    main()
