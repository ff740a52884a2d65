"""Pulls and plugs the webcam during sessions of one station; see replug-webcam.sh.

What is judged: every accept that was taken becomes a file that is whole and shows the frame that
the camera sent at the time that the station says; the states are told; the process stays the same.
"""

import argparse
import os
import sys
import time

from read_number import number_in
from station import Station

MOMENTS = ("countdown", "review", "saving", "idle")


class Webcam:
    def __init__(self, log, control):
        self.log, self.control = log, control

    def say(self, command):
        with open(self.control, "w") as control:
            control.write(command + "\n")

    def frames(self):
        """(number, begin, fault) of what it sent."""
        with open(self.log) as log:
            rows = [line.split() for line in log if not line.startswith("#")]
        return [(int(row[1]), int(row[2]), row[5]) for row in rows if len(row) == 6]


def accept(station):
    """Accepts as soon as that counts."""
    end = time.monotonic() + 10
    while not station.ask("accept")[0]:
        if time.monotonic() > end:
            sys.exit(f"the photo was never accepted: {station.status()}")
        time.sleep(0.02)


def saved(station, photos):
    return station.wait_status(
        "the photo to be saved", lambda status: status["photos"] > photos, seconds=20)


class Run:
    def __init__(self, options):
        self.webcam = Webcam(options.log, options.control)
        self.station = Station(
            options.retake, options.node, options.directory, options.library, size="1280x720",
            countdown=1)
        self.station.wait_line("using ")
        self.process = self.station.process.pid
        self.shots, self.back, self.failed_sessions = [], [], 0

    def pull(self):
        self.mark = len(self.station.lines)
        self.webcam.say("unplug")
        self.station.wait_camera("absent", seconds=10)

    def put_back(self):
        begin = time.monotonic()
        self.webcam.say("plug")
        self.station.wait_camera("streaming", seconds=20)
        self.back.append(time.monotonic() - begin)

    def press(self):
        self.station.wait_state("idle", "finished", seconds=20)
        accepted, words = self.station.ask("shutter")
        if not accepted:
            sys.exit(f"the shutter was refused: {words}")

    def keep(self, status):
        self.shots.append(status["lastPhoto"])

    def countdown(self):
        """Pulled before the photo: it may fail, or be made of a later frame; it is never wrong."""
        photos = self.station.status()["photos"]
        self.press()
        self.station.wait_state("countdown")
        self.pull()
        self.put_back()
        status = self.station.wait_state("reviewing", "idle", "finished", seconds=20)
        if status["state"] == "reviewing":
            accept(self.station)
            self.keep(saved(self.station, photos))
        else:
            self.failed_sessions += 1

    def review(self):
        photos = self.station.status()["photos"]
        self.press()
        self.station.wait_state("reviewing", seconds=20)
        self.pull()
        accept(self.station)
        self.keep(saved(self.station, photos))
        self.put_back()

    def saving(self):
        photos = self.station.status()["photos"]
        self.press()
        self.station.wait_state("reviewing", seconds=20)
        accept(self.station)
        self.webcam.say("unplug")
        self.keep(saved(self.station, photos))
        self.station.wait_camera("absent", seconds=10)
        self.put_back()

    def idle(self):
        self.station.wait_state("idle", "finished", seconds=20)
        self.pull()
        # The picker hears of it a moment after the camera's state is told.
        self.station.wait_line("not plugged in", after=self.mark, seconds=10)
        accepted, words = self.station.ask("shutter")
        if accepted:
            sys.exit(f"a press was taken without a camera: {words} {self.station.lines[-8:]}")
        self.refusal = words
        self.put_back()
        photos = self.station.status()["photos"]
        self.press()
        self.station.wait_state("reviewing", seconds=20)
        accept(self.station)
        self.keep(saved(self.station, photos))

    def judge(self):
        frames, wrong = self.webcam.frames(), 0
        for shot in self.shots:
            if not os.path.exists(shot["path"]):
                print(f"LOST {shot['path']}")
                wrong += 1
                continue
            number = number_in(shot["path"])
            # Where the kernel's date could not be trusted, the frame is dated by its arrival: under
            # emulation that may be much later.
            slack = 40_000_000 if shot["frameClock"] == "driver" else 1_000_000_000
            since = shot["frameNanoseconds"] - slack
            sent = [f for f in frames if since < f[1] < shot["frameNanoseconds"] + 40_000_000]
            if number not in [f[0] for f in sent if f[2] == "-"]:
                print(f"WRONG {shot['path']}: shows {number}; dated by {shot['frameClock']},"
                      f" {shot['deltaMilliseconds']} ms from the moment; sent then: {sent[-3:]}")
                wrong += 1
            if shot["deltaMilliseconds"] < -100:
                print(f"OLD {shot['path']}: {shot['deltaMilliseconds']} ms before the moment")
                wrong += 1
        return wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("retake", "camera", "node", "log", "control", "directory", "library"):
        parser.add_argument("--" + name, required=True)
    parser.add_argument("--cycles", type=int, default=20)
    options = parser.parse_args()
    run = Run(options)
    for cycle in range(options.cycles):
        getattr(run, MOMENTS[cycle % len(MOMENTS)])()
        if run.station.process.poll() is not None:
            sys.exit("the station ended")
    status = run.station.status()
    wrong = run.judge()
    files = sum(len(names) for _, _, names in os.walk(options.library)
                if any(n.endswith(".jpg") for n in names))
    back = sorted(run.back)
    print(f"{options.cycles} cycles, {len(run.shots)} photos accepted and {status['photos']} saved"
          f" ({files} files), {wrong} lost or wrong, {run.failed_sessions} sessions without a photo"
          f" because the camera was away; streaming again {back[len(back) // 2]:.2f} s after the"
          f" plug (median; at most {back[-1]:.2f}); refused without a camera: {run.refusal}")
    if status["photos"] != len(run.shots) or wrong:
        sys.exit("FAILED")
    if code := run.station.stop():
        sys.exit(f"the station ended with {code}")


if __name__ == "__main__":
    main()
