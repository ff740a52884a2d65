"""Tests of a running station whose disk changes; run by library-disk.sh."""
import argparse
import os
import shutil
import subprocess
import time

from powercut import ALBUM, CONFIGURATION, WORK, Station, digest


class Booth:
    def __init__(self, arguments):
        self.retake = arguments.retake
        self.output = arguments.output
        self.photos = {}
        os.makedirs(WORK, exist_ok=True)
        with open(f"{WORK}/retake.toml", "w") as file:
            file.write(CONFIGURATION.replace("CLIP", arguments.clip))
        self.station = Station(self.retake, self.output)

    def state(self):
        return self.station.status()["library"]["state"]

    def expect(self, state):
        # The station checks the disk every five seconds.
        self.station.wait(f"the state {state}", lambda: self.state() == state, 40)
        print(f"{state}, noticed by itself", flush=True)

    def refuse(self):
        time.sleep(1)
        accepted, text = self.station.say("shutter")
        if accepted:
            raise SystemExit("a session began that cannot end with a photo")
        print(f"refused: {text}", flush=True)

    def save(self):
        station = self.station
        before = station.status()["photos"]
        station.press("shutter")
        station.review()
        station.press("accept")
        station.wait("a saved photo", lambda: station.status()["photos"] > before)
        path = station.status()["lastPhoto"]["path"]
        name = os.path.basename(path)
        if name in self.photos or (self.photos and name < max(self.photos)):
            raise SystemExit(f"{name} had its number before")
        self.photos[name] = digest(path)
        station.wait("the next guest", lambda: station.status()["state"] in ("live", "idle"))
        self.check()

    def check(self):
        for name, value in self.photos.items():
            if value and digest(f"{ALBUM}/{name}") != value:
                raise SystemExit(f"{name} is not what was saved")


def main():
    parser = argparse.ArgumentParser()
    for name in ("--retake", "--clip", "--output"):
        parser.add_argument(name, required=True)
    booth = Booth(parser.parse_args())
    booth.save()

    # By force, as after an error: a plain remount refuses while files are open for writing. Only
    # file systems on block devices are meant.
    with open("/proc/sysrq-trigger", "w") as file:
        file.write("u")
    booth.expect("read-only")
    booth.refuse()
    subprocess.run(["mount", "-o", "remount,rw", "/disk"], check=True)
    booth.station.wait("room again", lambda: booth.state() in ("ok", "low"), 40)
    booth.save()

    free = os.statvfs("/disk")
    with open("/disk/filling", "wb") as file:
        os.posix_fallocate(file.fileno(), 0, (free.f_bavail - 200) * free.f_frsize)
    booth.expect("full")
    booth.refuse()
    os.unlink("/disk/filling")
    booth.station.wait("room again", lambda: booth.state() in ("ok", "low"), 40)
    booth.save()

    ahead = time.time() - time.monotonic()
    try:
        for seconds in (3600, 365 * 86400):
            time.clock_settime(time.CLOCK_REALTIME, time.time() - seconds)
            booth.save()
        booth.station.end()
        booth.station = Station(booth.retake, booth.output)
        booth.save()
    finally:
        # Other tests run in the same guest.
        time.clock_settime(time.CLOCK_REALTIME, time.monotonic() + ahead)

    shutil.rmtree("/disk/photos")
    booth.photos = {name: None for name in booth.photos}
    booth.save()
    booth.station.end()
    print(f"{len(booth.photos)} photos, none lost, none replaced")


if __name__ == "__main__":
    main()
