"""Presses simulated buttons and speaks with the station, for the tests of buttons.

A line is pressed by its `pull` in sysfs, as gpio-sim has it: a button to ground makes it low. Each
press is logged with CLOCK_MONOTONIC just before the first write and just after it.
"""

import argparse
import heapq
import json
import os
import random
import re
import socket
import sys
import threading
import time
from statistics import median


# Nanoseconds. A busy machine stretches the bounces that are asked for; a press whose bounce came
# out longer than this is one that no button makes, and is not judged.
LONGEST_BOUNCE = 25_000_000


class Line:
    """A line of the chip, between its button and ground."""

    def __init__(self, pulls, number):
        self.file = open(f"{pulls}/sim_gpio{number}/pull", "w", buffering=1)

    def set(self, down):
        """Writes the level; when the write began and ended."""
        begin = time.monotonic_ns()
        self.file.write("pull-down\n" if down else "pull-up\n")
        self.file.flush()
        end = time.monotonic_ns()
        self.file.seek(0)
        return begin, end


def wait_until(nanoseconds):
    while (left := nanoseconds - time.monotonic_ns()) > 0:
        time.sleep(left / 1e9)


def contact(chance, down, longest):
    """The writes of a bouncing contact: (nanoseconds after the one before, down)."""
    writes, level, left = [(0, down)], down, chance.uniform(0, longest)
    while (gap := chance.uniform(0.4e6, 3e6)) < left:
        level, left = not level, left - gap
        writes.append((gap, level))
    if level != down:
        writes.append((left, down))
    return writes


class Button:
    """A bouncing button that is pressed again and again, at its own pace."""

    def __init__(self, name, line, chance, options):
        self.name, self.line, self.chance, self.options = name, line, chance, options
        self.down, self.begin, self.rest = False, 0, []
        # [name, begin and end of the first write, the longest bounce, the ends of later writes];
        # None between presses.
        self.press = None

    def pause(self):
        """How long it is held, or left alone."""
        shortest = self.options.hold * 1e6
        return int(self.chance.uniform(shortest, 2 * shortest))

    def step(self, goes_on):
        """Makes the write that is due; returns the time of the next one or None, and a press that is over."""
        over, longest = None, self.options.bounce * 1e6
        if not self.rest:
            self.down = not self.down
            if self.down:
                over, self.press = self.press, None
                if not goes_on:
                    return None, over
            self.rest = contact(self.chance, self.down, longest)
            self.begin = 0
        elif time.monotonic_ns() - self.begin > longest:
            # The machine was late: the contact comes to rest at once.
            del self.rest[:-1]
        begin, end = self.line.set(self.rest.pop(0)[1])
        if self.begin == 0:
            self.begin = begin
            if self.down:
                self.press = [self.name, begin, end, 0, []]
        if self.down and end != self.press[2]:
            self.press[4].append(end)
        self.press[3] = max(self.press[3], end - self.begin)
        # From when this write really was: a late one delays the rest and shortens nothing.
        return end + (int(self.rest[0][0]) if self.rest else self.pause()), over


def press_many(options):
    """Presses several bouncing buttons, until there were enough presses.

    Prints NAME BEGIN END LENGTH ENDS for each: when the first write began and ended, how long the
    contact really bounced (a machine that is too busy for the writes makes that longer than asked),
    and when the other writes of the bounce ended.
    """
    # Before all programs, but after the kernel's own threads for interrupts.
    os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(10))
    chance = random.Random(options.seed)
    buttons = []
    for spec in options.buttons:
        name, number = spec.split("=")
        line = Line(options.pulls, number)
        buttons.append(Button(name, line, random.Random(chance.random()), options))
    start = time.monotonic_ns() + 200_000_000
    queue = [(start + button.pause(), index) for index, button in enumerate(buttons)]
    heapq.heapify(queue)
    presses, good = [], 0
    while queue:
        due, index = heapq.heappop(queue)
        wait_until(due)
        due, over = buttons[index].step(good < options.count)
        if over:
            presses.append(over)
            good += over[3] <= LONGEST_BOUNCE
        if due:
            heapq.heappush(queue, (due, index))
    presses.sort(key=lambda press: press[1])
    for press in presses:
        print(*press[:4], ",".join(map(str, press[4])) or "-")


def judge_presses(options):
    """Compares the station's log with the presses: one event each, in order, dated by the write."""
    with open(options.presses) as file:
        presses = [line.split() for line in file]
    presses = [
        (name, int(begin), int(end), int(length), [int(one) for one in ",".join(ends).split(",") if one.isdigit()])
        for name, begin, end, length, *ends in presses
    ]
    pattern = re.compile(r" from button (\S+) .* time=(\d+) clock=kernel")
    with open(options.log) as file:
        events = [match.groups() for line in file if (match := pattern.search(line))]
    events = [(name, int(stamp)) for name, stamp in events]
    if events != sorted(events, key=lambda event: event[1]):
        print("FAILED: events are not in the order of their dates")
        return 1
    failures, late, writes, spoiled, over, merged = [], [], [], 0, 0, 0
    for position, (name, begin, end, length, ends) in enumerate(presses):
        later = [press[1] for press in presses[position + 1 :] if press[0] == name]
        until = later[0] if later else 1 << 62
        found = [stamp for button, stamp in events if button == name and begin <= stamp < until]
        if length > LONGEST_BOUNCE:
            spoiled += 1
            continue
        if len(found) != 1:
            failures.append(f"a press of {name} at {begin} gave {len(found)} events: {found}")
            continue
        # The line changed somewhere in the write, which may take the rig its time. The kernel keeps
        # one date a line: if its thread is late, the next edge of the bounce overwrites the date of
        # the first, before anybody can read it.
        if found[0] > end + options.within * 1e6:
            if any(0 <= found[0] - one + 1e6 <= (options.within + 1) * 1e6 for one in ends):
                merged += 1
            else:
                over += 1
        late.append((found[0] - begin) / 1e6)
        writes.append((end - begin) / 1e6)
    late.sort()
    writes.sort()
    if late:
        print(
            f"{len(late)} presses, one event each; dated after the write began: p50"
            f" {late[len(late) // 2]:.3f} ms, p99 {late[len(late) * 99 // 100]:.3f}, max"
            f" {late[-1]:.3f}; the write itself: p50 {writes[len(writes) // 2]:.3f}, p99"
            f" {writes[len(writes) * 99 // 100]:.3f}, max {writes[-1]:.3f};"
            f" {spoiled} not counted: the rig was late; {merged} whose first edges the kernel merged;"
            f" {over} dated more than {options.within:g} ms after the write's end")
    # The rig's own lateness (its longest write says how much that is) may hit an interrupt, too.
    if over > len(presses) // 200:
        failures.append(f"{over} were dated more than {options.within} ms after the write's end")
    # Most presses bounce for longer than that: a debouncer that dates them by another edge is far
    # beyond.
    if merged > len(presses) // 20:
        failures.append(f"{merged} presses have the date of a later edge")
    if len(late) < options.count:
        failures.append(f"{len(late)} of {options.count} presses gave one event")
    for failure in failures[:10]:
        print(f"FAILED: {failure}")
    return 1 if failures else 0


def ask(path, word):
    """Sends one trigger to the station; its answer."""
    with socket.socket(socket.AF_UNIX) as client:
        client.settimeout(20)
        client.connect(path)
        client.sendall(word.encode() + b"\n")
        answer = b""
        while part := client.recv(65536):
            answer += part
    return answer.decode()


def status(path):
    return json.loads(ask(path, "status").split(" ", 1)[1])


def wait_status(path, condition, what, seconds=30):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        found = status(path)
        if condition(found):
            return found
        time.sleep(0.01)
    sys.exit(f"FAILED: waited for {what}; the state is {found['state']}, {found.get('lastRefusal')}")


class Lamps(threading.Thread):
    """Follows the levels of lamps: changes as (time, name, level)."""

    def __init__(self, pulls, lamps):
        super().__init__(daemon=True)
        self.files = {name: open(f"{pulls}/sim_gpio{line}/value") for name, line in lamps.items()}
        self.levels, self.changes = dict.fromkeys(lamps), []
        self.look()
        self.start()

    def look(self):
        for name, file in self.files.items():
            file.seek(0)
            level = file.read(1) == "1"
            if level != self.levels[name]:
                self.levels[name] = level
                self.changes.append((time.monotonic_ns(), name, level))

    def run(self):
        try:
            while True:
                self.look()
                time.sleep(0.005)
        except OSError:
            pass  # the chip was taken away

    @property
    def lit(self):
        return {name for name, level in self.levels.items() if level}


def expect(condition, words, seconds=20):
    """Polls for a condition; the limit only ends a test that has failed already."""
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            sys.exit(f"FAILED: {words() if callable(words) else words}")
        time.sleep(0.01)


LAMPS = {"ready": 22, "countdown": 23, "flash": 24, "saved": 25, "error": 27}


def walk_states(options):
    """Takes one button through every state and checks the lamps."""
    button, lamps = Line(options.pulls, 17), Lamps(options.pulls, LAMPS)

    def state(name):
        expect(
            lambda: status(options.socket)["state"] == name,
            lambda: f"no {name}; the state is {status(options.socket)['state']}")

    def lit(*names):
        expect(lambda: lamps.lit == set(names), lambda: f"{lamps.lit} are lit, not {names}")

    def press(seconds=0.08, after=0.1):
        button.set(True)
        time.sleep(seconds)
        button.set(False)
        time.sleep(after)

    state("idle")
    lit("ready")
    before = status(options.socket)["photos"]
    # The shutter; a press during the countdown changes nothing.
    press()
    state("countdown")
    deadline = status(options.socket)["deadlineNanoseconds"]
    press()
    if status(options.socket)["deadlineNanoseconds"] != deadline:
        sys.exit("FAILED: a press during the countdown changed it")
    state("reviewing")
    lit()
    judge_lamps(lamps.changes, deadline)
    # Long retakes, two quick ones cancel, short accepts.
    press(1.0)
    state("countdown")
    state("reviewing")
    press(0.06, 0.08)
    press(0.06)
    state("cancelled")
    lit("ready")
    press()
    state("countdown")
    state("reviewing")
    time.sleep(0.9)
    press()
    state("finished")
    lit("saved")
    if (photos := status(options.socket)["photos"]) != before + 1:
        sys.exit(f"FAILED: {photos} photos, not {before + 1}")
    # A press on the end screen begins the next session.
    press()
    state("countdown")
    state("reviewing")
    press(0.06, 0.08)
    press(0.06)
    state("idle")
    print("states and lamps as they should be")


def judge_lamps(changes, moment):
    """The countdown's blinks get shorter, the flash is lit around the moment."""
    flash = [(at - moment) / 1e6 for at, name, level in changes if name == "flash" and at]
    if len(flash) < 3:
        sys.exit(f"FAILED: the flash changed {len(flash)} times")
    begin, end = flash[-2:]
    blinks = [at for at, name, level in changes if name == "countdown"][1:]
    steps = [(b - a) / 1e6 for a, b in zip(blinks, blinks[1:])]
    print(f"flash from {begin:+.0f} to {end:+.0f} ms; {len(steps)} blinks of", end=" ")
    print(f"{max(steps):.0f} to {min(steps):.0f} ms")
    # The guest is emulated: a lamp may be some milliseconds late, never early.
    if not (-205 <= begin <= -100 and 295 <= end <= 420):
        sys.exit("FAILED: the flash was not lit from 200 ms before to 300 ms after")
    # 125 ms in the first of the two seconds, half of that in the second. By the median: a busy
    # machine misses some.
    early = [step for step, end in zip(steps, blinks[1:]) if end < moment - 1_000_000_000]
    late = [step for step, end in zip(steps, blinks[1:]) if end >= moment - 1_000_000_000]
    if min(len(early), len(late)) < 3 or not median(early) > 1.2 * median(late):
        sys.exit(f"FAILED: the blinks do not get shorter: {steps}")


def take_photos(options):
    """Presses the shutter, accepts the review; prints what the station says of each photo."""
    chance = random.Random(options.seed)
    shutter, accept = (Line(options.pulls, number) for number in (options.shutter, options.accept))
    for count in range(1, options.count + 1):
        # At no fixed place between two frames.
        time.sleep(chance.uniform(0.1, 0.2))
        begin, _ = shutter.set(True)
        time.sleep(0.06)
        shutter.set(False)
        wait_status(options.socket, lambda s: s["state"] == "reviewing", f"review {count}")
        # An accept counts once the photo has been on show for 0.8 s.
        time.sleep(0.85)
        accept.set(True)
        time.sleep(0.06)
        accept.set(False)
        found = wait_status(options.socket, lambda s: s["photos"] == count, f"photo {count}")
        print(json.dumps(found["lastPhoto"] | {"writeNanoseconds": begin}), flush=True)


# Nanoseconds after its first byte within which the rig's kernel dates a frame on a machine with
# time; a frame dated later is the rig's lateness, not the station's choice.
DATED_WITHIN = 2_500_000


def dates_of(sent, log):
    """The date of each frame of the camera's log that the station was given, by its begin."""
    dates = {}
    with open(log) as file:
        seen = [line.split() for line in file if line.split()[-1] in ("clean", "repairable")]
    for words in seen:
        stamp, length = int(words[1]), int(words[3])
        fits = [f for f in sent if f[3] == length and -1_000_000 <= stamp - f[1] <= 250_000_000]
        if fits:
            dates[fits[-1][1]] = stamp
    return dates


def wire_frames(path):
    """(number, begin, fault, bytes) of the frames in the camera's log."""
    with open(path) as log:
        lines = [line.split() for line in log if not line.startswith("#")]
    return [(int(l[1]), int(l[2]), l[5], int(l[4])) for l in lines]


def judge_frames(options):
    """Is each photo's frame the nearest to its press, by the camera's log?"""
    sys.path.insert(0, __file__.rsplit("/", 1)[0])
    from judge_shot import objects
    from read_number import number_in

    with open(options.photos) as file:
        shots = objects(file.read())
    sent = [frame for frame in wire_frames(options.log) if frame[2] == "-"]
    dates = dates_of(sent, options.frames)
    delay = options.delay * 1e6
    distances, wrong, far, rig, misdated = [], 0, 0, 0, 0
    for shot in shots:
        press, number = shot["writeNanoseconds"], number_in(shot["path"])
        # The camera's log says when a frame's first bytes went over the wire.
        by_distance = sorted(sent, key=lambda frame: abs(frame[1] - press))
        chosen = next((frame for frame in by_distance[:20] if frame[0] == number), None)
        if chosen is None:
            print(f"FAILED: {shot['path']} carries {number}, which was not sent around the press")
            far += 1
            continue
        offset = (chosen[1] - press) / 1e6
        distances.append(abs(offset))
        # By the kernel's own dates the frame must be the nearest.
        moment = shot["momentNanoseconds"] + delay
        dated = sorted(dates.values(), key=lambda stamp: abs(stamp - moment))
        if abs(shot["frameNanoseconds"] - moment) > abs(dated[0] - moment) + 2000:
            print(f"FAILED: {shot['path']} is not the nearest by the kernel's dates")
            misdated += 1
        if chosen == by_distance[0]:
            continue
        # The next frame on the other side is allowed, no other.
        far += chosen not in by_distance[:2]
        nearest = by_distance[0]
        late = [dates.get(frame[1], 1 << 62) - frame[1] for frame in (chosen, nearest)]
        if max(late) > DATED_WITHIN or shot["pressNanoseconds"] - press > DATED_WITHIN:
            rig += 1
        else:
            wrong += 1
        print(
            f"frame {number} at {offset:+.2f} ms, the nearest is at"
            f" {(nearest[1] - press) / 1e6:+.2f} ms; dated"
            f" {late[0] / 1e6:.2f} and {late[1] / 1e6:.2f} ms after their first bytes")
    distances.sort()
    print(
        f"{len(shots)} photos, the nearest frame in {len(shots) - wrong - rig - far}, the next in"
        f" {rig} since the rig dated one of the two late;"
        f" distance p50 {distances[len(distances) // 2]:.1f} ms, max {distances[-1]:.1f} ms")
    allowed = max(1, len(shots) // 100)
    if len(shots) != options.count or wrong > allowed or far or misdated:
        print(
            f"FAILED: {wrong} not the nearest, {far} not even the next, {misdated} not by the"
            f" kernel's dates; of {len(shots)}")
        return 1
    return 0


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    verbs = parser.add_subparsers(required=True)
    many = verbs.add_parser("press-many")
    many.add_argument("--pulls", required=True)
    many.add_argument("--count", type=int, default=1000)
    many.add_argument("--hold", type=float, default=60, help="and pause, at least, in ms")
    many.add_argument("--bounce", type=float, default=10)
    many.add_argument("--seed", type=int, default=1)
    many.add_argument("buttons", nargs="+", help="NAME=LINE")
    many.set_defaults(run=press_many)
    presses = verbs.add_parser("judge-presses")
    presses.add_argument("--presses", required=True)
    presses.add_argument("--log", required=True)
    presses.add_argument("--within", type=float, default=3)
    presses.add_argument("--count", type=int, default=1000)
    presses.set_defaults(run=judge_presses)
    states = verbs.add_parser("walk-states")
    states.add_argument("--pulls", required=True)
    states.add_argument("--socket", required=True)
    states.set_defaults(run=walk_states)
    photos = verbs.add_parser("take-photos")
    photos.add_argument("--pulls", required=True)
    photos.add_argument("--socket", required=True)
    photos.add_argument("--count", type=int, default=20)
    photos.add_argument("--shutter", type=int, default=17)
    photos.add_argument("--accept", type=int, default=5)
    photos.add_argument("--seed", type=int, default=1)
    photos.set_defaults(run=take_photos)
    judged = verbs.add_parser("judge-frames")
    judged.add_argument("--photos", required=True)
    judged.add_argument("--log", required=True)
    judged.add_argument("--frames", required=True, help="the station's --frame-log")
    judged.add_argument("--delay", type=float, default=0)
    judged.add_argument("--count", type=int, default=20)
    judged.set_defaults(run=judge_frames)
    options = parser.parse_args()
    sys.exit(options.run(options))


if __name__ == "__main__":
    main()
