"""Records sessions of a station on a disk with a write log, cuts the power at many points of the
log, and checks what the library then has.

Runs in the guest. The observer below is not the station: it sees what a guest of the booth sees,
and marks in the log when it did. Every photo whose "saved" it had seen must be there at every later
cut, whole and listed; what nobody accepted, or what was deleted, must not.
"""
import argparse
import hashlib
import json
import os
import random
import shutil
import socket
import subprocess
import sys
import time

from powercut_disk import RecordedDisk, Loop, Replay, copy_sparse, mount, read_log, unmount

WORK = "/dev/shm/powercut"
ALBUM = "/disk/photos/booth"
CONFIGURATION = """
[camera]
device = "clip:CLIP"
rate = 10
[countdown]
seconds = 0
[library]
path = "/disk/photos"
reserve = "1 MB"
[movie]
# The emulated machine keeps up with copies.
codec = "copy"
maximum = 5
preroll = 0.3
[socket]
path = "/run/retake-powercut.socket"
[web]
listen = ""
"""


class Station:
    """A running station, by its socket."""

    def __init__(self, retake, output):
        self.path = "/run/retake-powercut.socket"
        self.log = open(f"{output}/station.log", "ab")
        self.process = subprocess.Popen(
            [retake, "run", "--config", f"{WORK}/retake.toml"],
            stdin=subprocess.DEVNULL, stdout=self.log, stderr=self.log)
        self.wait("a station", lambda: self.say("status")[0] and self.status()["camera"]["state"] == "streaming", 60)

    def say(self, word):
        try:
            with socket.socket(socket.AF_UNIX) as client:
                client.settimeout(20)
                client.connect(self.path)
                client.sendall(word.encode() + b"\n")
                text = b""
                while piece := client.recv(65536):
                    text += piece
        except OSError as error:
            return False, str(error)
        first, _, rest = text.decode().strip().partition(" ")
        return first == "ok", rest

    def status(self):
        return json.loads(self.say("status")[1])

    def wait(self, what, condition, seconds=30):
        end = time.monotonic() + seconds
        while not condition():
            if time.monotonic() > end:
                raise SystemExit(f"waited {seconds} s for {what}; {self.say('status')}")
            if self.process.poll() is not None:
                raise SystemExit(f"the station ended with {self.process.returncode}")
            time.sleep(0.02)

    def press(self, word):
        self.wait(f"{word} to be taken", lambda: self.say(word)[0])

    def film(self):
        """Begins a movie, which has some frames when this returns."""
        self.press("record")
        self.wait("some frames of a movie",
                  lambda: self.status()["movies"]["frames"] >= 8 or self.status()["state"] == "reviewing")

    def last(self):
        return (self.status().get("lastPhoto") or {}).get("path")

    def review(self):
        self.wait("a review", lambda: self.status()["state"] == "reviewing")

    def end(self):
        self.say("quit")
        if self.process.wait(60) != 0:
            raise SystemExit("the station did not end well")


class Observer:
    """The actions, their observed results, and the position of the log at each."""

    def __init__(self, disk):
        self.disk, self.events = disk, []

    def note(self, kind, **more):
        # Before something is asked for, or after it was seen to be done: never in between.
        mark = self.disk.mark()
        self.events.append(dict(kind=kind, mark=mark, **more))


def record(arguments, disk):
    """Sessions of every kind; the observer's notes are returned."""
    observer = Observer(disk)
    chance = random.Random(arguments.seed)
    station = Station(arguments.retake, arguments.output)
    saved = []
    # Every kind at least once, and then as chance has it; the first must be a photo.
    kinds = ["accept", "cancel", "movie", "retake", "delete", "cancelled movie", "accept", "export", "movie"]
    while len(kinds) < arguments.sessions:
        kinds.append(chance.choice(["accept"] * 5 + ["movie"] * 3 + [
            "retake", "cancel", "cancelled movie", "delete", "export"]))
    for kind in kinds:
        if kind in ("delete", "export") and not saved:
            kind = "accept"
        if kind == "delete":
            # The highest, too: its number must not come again.
            name = saved[-1] if chance.random() < 0.5 else chance.choice(saved)
            observer.note("deleting", name=name)
            subprocess.run([arguments.retake, "photos", "delete", name, "--config",
                            f"{WORK}/retake.toml"], check=True, stdout=subprocess.DEVNULL)
            observer.note("deleted", name=name)
            saved.remove(name)
            continue
        if kind == "export":
            target = f"/disk/export{len(observer.events)}"
            subprocess.run([arguments.retake, "photos", "export", target, "--config",
                            f"{WORK}/retake.toml"], check=True, stdout=subprocess.DEVNULL)
            observer.note("exported", path=target,
                          files={name: digest(f"{target}/{name}") for name in os.listdir(target)})
            continue
        if kind.endswith("movie"):
            observer.note("recording")
            station.film()
            if kind == "movie" or chance.random() < 0.5:
                # The recording may have ended by itself on a slow machine.
                station.say("record")
                station.review()
        else:
            station.press("shutter")
            station.review()
        if kind.startswith("cancel"):
            station.press("cancel")
            station.wait("the end", lambda: station.status()["state"] in ("live", "idle"))
            observer.note("cancelled")
            continue
        if kind == "retake":
            station.press("retake")
            station.review()
        before = station.last()
        observer.note("accepting")
        station.press("accept")
        station.wait("a saved photo", lambda: station.last() != before)
        path = station.last()
        observer.note("saved", name=os.path.basename(path))
        observer.events[-1]["sha256"] = digest(path)
        saved.append(os.path.basename(path))
        station.wait("the next guest", lambda: station.status()["state"] in ("live", "idle"))
    station.end()
    return observer.events


def digest(path):
    with open(path, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()


def expectation(events, reached):
    """Returns the photos that must and those that may exist after a cut that comes after these marks."""
    must, may, gone, exported, highest = {}, {}, set(), {}, 0
    accepting = False
    for event in events:
        if event["mark"] not in reached:
            # The photo was accepted, but not yet reported as saved before the cut, so it may or may
            # not exist.
            if accepting and event["kind"] == "saved":
                may[event["name"]] = event["sha256"]
            break
        accepting = event["kind"] == "accepting"
        if event["kind"] == "saved":
            must[event["name"]] = event["sha256"]
            highest = max(highest, int(event["name"][4:12]))
        elif event["kind"] == "deleting":
            may[event["name"]] = must.pop(event["name"])
        elif event["kind"] == "deleted":
            may.pop(event["name"])
            gone.add(event["name"])
        elif event["kind"] == "exported":
            for name, value in event["files"].items():
                exported[f"{event['path']}/{name}"] = value
    return dict(must=must, may=may, gone=sorted(gone), exported=exported, highest=highest)


def problems(expected, listed):
    """Returns the faults of the mounted library; `listed` is the program's listing of it."""
    wrong = []
    files = {}
    if os.path.isdir(ALBUM):
        files = {name: digest(f"{ALBUM}/{name}") for name in os.listdir(ALBUM)}
    for name, value in expected["must"].items():
        if name not in files:
            wrong.append(f"{name} was saved and is not there")
        elif files[name] != value:
            wrong.append(f"{name} was saved and is not whole")
        if name not in listed:
            wrong.append(f"{name} was saved and is not listed")
    for name, value in files.items():
        known = {**expected["must"], **expected["may"]}.get(name)
        if known is None:
            wrong.append(f"{name} was never accepted, or was deleted, and is there")
        elif known != value:
            wrong.append(f"{name} is there in part")
    for name in listed:
        if name not in files:
            wrong.append(f"{name} is listed and not there")
    for path, value in expected["exported"].items():
        if not os.path.exists(path) or digest(path) != value:
            wrong.append(f"{path} was exported and is not whole")
    if expected["highest"]:
        with open("/disk/photos/.retake.booth.sequence") as file:
            if int(file.read().split()[0]) < expected["highest"]:
                wrong.append("a number would be given twice")
    return wrong


def listing(retake):
    if not os.path.isdir("/disk/photos"):
        return []
    result = subprocess.run(
        [retake, "photos", "list", "--json", "--config", f"{WORK}/retake.toml"],
        capture_output=True, text=True)
    if result.returncode != 0:
        raise SystemExit(f"retake photos list: {result.returncode} {result.stderr}")
    return [photo["name"] for photo in json.loads(result.stdout)]


def filming(events, marks):
    """The entries that were written while movies were recorded, looked at, and saved."""
    places = {number: place for place, number in marks}
    found, begin = [], None
    for event in events:
        if event["kind"] == "recording":
            begin = places[event["mark"]]
        elif event["kind"] in ("saved", "cancelled") and begin is not None:
            found += range(begin + 1, places[event["mark"]] + 1)
        if event["kind"] != "accepting" and event["kind"] != "recording":
            begin = None
    return found


def points(entries, count, seed, preferred):
    """Where to cut, and whether the cache is lost as a whole: half of each, spread by chance."""
    chance = random.Random(seed)
    # The last points are where most can be lost. A third of them is in movies.
    chosen = [chance.choice(preferred) if preferred and index % 3 == 0
              else chance.randrange(1, len(entries) + 1) for index in range(count - 1)] + [len(entries)]
    return sorted((point, index % 2 == 0) for index, point in enumerate(chosen))


def after_boot(arguments):
    """The station starts on the disk as it is, and takes one more photo."""
    with open(arguments.after_boot) as file:
        expected = json.load(file)
    os.makedirs(WORK, exist_ok=True)
    with open(f"{WORK}/retake.toml", "w") as file:
        file.write(CONFIGURATION.replace("CLIP", arguments.clip))
    station = Station(arguments.retake, arguments.output)
    wrong = problems(expected, listing(arguments.retake))
    station.press("shutter")
    station.review()
    station.press("accept")
    station.wait("a saved photo", lambda: station.status()["photos"] == 1)
    name = os.path.basename(station.status()["lastPhoto"]["path"])
    if int(name[4:12]) <= expected["highest"]:
        wrong.append(f"{name} had its number before")
    station.end()
    for text in wrong:
        print(f"WRONG after the boot: {text}")
    print(f"{len(expected['must'])} photos are there, and {name} is new")
    return 1 if wrong else 0


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--retake", required=True)
    parser.add_argument("--output", required=True)
    parser.add_argument("--clip", required=True)
    parser.add_argument("--points", type=int, default=10)
    parser.add_argument("--sessions", type=int, default=0)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--boots", type=int, default=0)
    parser.add_argument("--after-boot", metavar="FILE", help="what a disk that was booted must have")
    arguments = parser.parse_args()
    if arguments.after_boot:
        return after_boot(arguments)
    arguments.sessions = arguments.sessions or (40 if arguments.points >= 100 else 9)
    arguments.seed = arguments.seed or random.SystemRandom().randrange(1, 1 << 31)
    print(f"seed {arguments.seed}", flush=True)
    shutil.rmtree(WORK, ignore_errors=True)
    os.makedirs(WORK)
    with open(f"{WORK}/retake.toml", "w") as file:
        file.write(CONFIGURATION.replace("CLIP", arguments.clip))
    disk = RecordedDisk(WORK, 64)
    mount(disk.device, "/disk")
    begin = time.monotonic()
    events = record(arguments, disk)
    unmount("/disk")
    disk.close()
    entries, marks = read_log(disk.log)
    counts = {kind: sum(event["kind"] == kind for event in events)
              for kind in ("recording", "saved", "cancelled", "deleted", "exported")}
    print(f"recorded in {time.monotonic() - begin:.0f} s: {counts}, {len(entries)} entries in the "
          f"log, {sum(1 for entry in entries if entry.flags & 1)} flushes", flush=True)
    if len(marks) != len(events):
        raise SystemExit(f"{len(events)} notes and {len(marks)} marks")
    replay = Replay(disk.base, disk.log, entries, f"{WORK}/replay")
    failures = lost = 0
    boots = arguments.boots
    movies = filming(events, marks)
    chosen = points(entries, arguments.points, arguments.seed, movies)
    for index, (point, drops) in enumerate(chosen):
        chance = None if drops else random.Random(arguments.seed * 1000 + index)
        target = f"{WORK}/point"
        lost += replay.cut(point, target, chance)
        reached = {number for place, number in marks if place < point}
        expected = expectation(events, reached)
        if boots and (index + 1) * boots // len(chosen) > index * boots // len(chosen):
            copy_sparse(target, f"{arguments.output}/boot{index}.img")
            with open(f"{arguments.output}/boot{index}.json", "w") as file:
                json.dump(expected, file)
        loop = Loop(target)
        mount(loop.device, "/disk")
        wrong = problems(expected, listing(arguments.retake))
        unmount("/disk")
        loop.close()
        for text in wrong:
            print(f"WRONG at entry {point} of {len(entries)}, cache "
                  f"{'dropped' if drops else 'kept in part'}: {text}", flush=True)
        failures += bool(wrong)
    dropped = sum(drops for _, drops in chosen)
    filmed = sum(point in set(movies) for point, _ in chosen)
    print(f"{len(chosen)} points, {dropped} with the cache dropped and {len(chosen) - dropped} with a "
          f"part of it kept, {filmed} of them in a movie, {lost} writes lost, {failures} points wrong, "
          f"{time.monotonic() - begin:.0f} s, seed {arguments.seed}")
    shutil.rmtree(WORK)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
