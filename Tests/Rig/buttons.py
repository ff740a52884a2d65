"""Presses simulated buttons and speaks with the station, for the tests of buttons.

A line is pressed by its `pull` in sysfs, as gpio-sim has it: a button to ground makes it low. Each
press is logged with CLOCK_MONOTONIC just before the first write and just after it.
"""

import argparse
import heapq
import json
import random
import re
import socket
import sys
import time


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


def bounce(chance, down, begin, longest):
    """The writes of a contact that changes at `begin`: (time, down), the first at `begin`."""
    writes, level, end = [(begin, down)], down, begin + int(chance.uniform(0, longest))
    at = begin
    while (at := at + int(chance.uniform(0.4e6, 3e6))) < end:
        level = not level
        writes.append((at, level))
    if level != down:
        writes.append((end, down))
    return writes


def press_many(options):
    """Presses several buttons in turn, bouncing; prints NAME BEGIN END for each press."""
    chance = random.Random(options.seed)
    buttons = [spec.split("=") for spec in options.buttons]
    lines = {name: Line(options.pulls, number) for name, number in buttons}
    start = time.monotonic_ns() + 200_000_000
    queue, period = [], int(options.period * 1e6)
    for index in range(options.count):
        name = buttons[index % len(buttons)][0]
        # Buttons in turn, each well before its next turn.
        begin = start + index * period // len(buttons) + int(chance.uniform(0, 5e6))
        for at, down in bounce(chance, True, begin, options.bounce * 1e6):
            heapq.heappush(queue, (at, name, down, at == begin))
        for at, down in bounce(chance, False, begin + int(options.hold * 1e6), options.bounce * 1e6):
            heapq.heappush(queue, (at, name, down, False))
    while queue:
        at, name, down, is_first = heapq.heappop(queue)
        wait_until(at)
        begin, end = lines[name].set(down)
        if is_first:
            print(name, begin, end)


def judge_presses(options):
    """Holds the station's log against the presses: as many, in order, dated by the first write."""
    with open(options.presses) as file:
        presses = [line.split() for line in file]
    pattern = re.compile(r" from button (\S+) .* time=(\d+) clock=kernel")
    with open(options.log) as file:
        events = [match.groups() for line in file if (match := pattern.search(line))]
    failed = False
    if len(events) != len(presses):
        print(f"FAILED: {len(presses)} presses gave {len(events)} events")
        failed = True
    late = []
    for (name, begin, end), (button, stamp) in zip(presses, events):
        if name != button:
            print(f"FAILED: a press of {name} gave an event of {button}")
            return 1
        late.append((int(stamp) - int(begin)) / 1e6)
    writes = sorted((int(end) - int(begin)) / 1e6 for _, begin, end in presses)
    late.sort()
    over = sum(1 for value in late if not 0 <= value <= options.within)
    middle = len(late) // 2
    print(
        f"{len(events)} events; dated after the write began: p50 {late[middle]:.3f} ms,"
        f" p99 {late[len(late) * 99 // 100]:.3f}, max {late[-1]:.3f};"
        f" the write itself: p50 {writes[middle]:.3f}, max {writes[-1]:.3f}")
    if over > options.allowed:
        print(f"FAILED: {over} were not dated within {options.within} ms")
        failed = True
    return 1 if failed else 0


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


def judge_frames(options):
    """Is each photo's frame the nearest to its press, by the camera's log?"""
    sys.path.insert(0, __file__.rsplit("/", 1)[0])
    from judge_shot import frames, objects
    from read_number import number_in

    with open(options.photos) as file:
        shots = objects(file.read())
    sent = [frame for frame in frames(options.log) if frame[2] == "-"]
    delay = options.delay * 1e6
    distances, wrong, far = [], 0, 0
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
        if chosen != by_distance[0]:
            wrong += 1
            nearest = (by_distance[0][1] - press) / 1e6
            dated = (shot["frameNanoseconds"] - chosen[1]) / 1e6
            print(
                f"frame {number} at {offset:+.2f} ms, the nearest is at {nearest:+.2f} ms;"
                f" dated {dated:+.2f} ms after its first byte")
            # The next frame on the other side is allowed, no other.
            far += chosen not in by_distance[:2]
    distances.sort()
    print(
        f"{len(shots)} photos, the nearest frame in {len(shots) - wrong - far};"
        f" distance p50 {distances[len(distances) // 2]:.1f} ms, max {distances[-1]:.1f} ms")
    allowed = max(1, len(shots) // 100)
    if len(shots) != options.count or wrong > allowed or far:
        print(f"FAILED: {wrong} not the nearest, {far} not even the next; of {len(shots)}")
        return 1
    return 0


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    verbs = parser.add_subparsers(required=True)
    many = verbs.add_parser("press-many")
    many.add_argument("--pulls", required=True)
    many.add_argument("--count", type=int, default=1000)
    many.add_argument("--period", type=float, default=120, help="of one button, in ms")
    many.add_argument("--hold", type=float, default=45)
    many.add_argument("--bounce", type=float, default=10)
    many.add_argument("--seed", type=int, default=1)
    many.add_argument("buttons", nargs="+", help="NAME=LINE")
    many.set_defaults(run=press_many)
    presses = verbs.add_parser("judge-presses")
    presses.add_argument("--presses", required=True)
    presses.add_argument("--log", required=True)
    presses.add_argument("--within", type=float, default=3)
    presses.add_argument("--allowed", type=int, default=0)
    presses.set_defaults(run=judge_presses)
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
    judged.add_argument("--delay", type=float, default=0)
    judged.add_argument("--count", type=int, default=20)
    judged.set_defaults(run=judge_frames)
    options = parser.parse_args()
    sys.exit(options.run(options))


if __name__ == "__main__":
    main()
