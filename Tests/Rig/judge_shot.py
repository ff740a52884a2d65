"""Was the photo the frame of the press? `judge_shot.py --log FRAMES [--within MS] [--count N] JSON`.

JSON is what `retake snap --json` or `retake run --once --json` printed. The number in the picture
must be that of a whole frame that the camera sent, without a fault, around `pressNanoseconds`, and
`frameNanoseconds` must be when the camera sent it. Prints one line a photo.
"""

import argparse
import json
import sys

from read_number import number_in

# How far the kernel's date of a frame may be from when the camera began to send it: a busy
# emulated machine may take its time between the two.
DATE_SLACK = 40.0


def frames(path):
    """(number, begin, fault) of the frames in the camera's log."""
    with open(path) as log:
        lines = [line.split() for line in log if not line.startswith("#")]
    return [(int(l[1]), int(l[2]), l[5]) for l in lines]


def objects(text):
    """The JSON objects of a text, one after the other; other lines between them are passed over."""
    decoder, position, found = json.JSONDecoder(), 0, []
    while (position := text.find("{", position)) >= 0:
        try:
            value, position = decoder.raw_decode(text, position)
            found.append(value)
        except ValueError:
            position += 1
    return found


def judge(shot, sent, within):
    """A line about the shot, and what is wrong with it or None."""
    number = number_in(shot["path"])
    if number is None:
        return shot["path"], "no number can be read in the picture: not upright, or torn"
    press, stamp = shot["pressNanoseconds"], shot["frameNanoseconds"]
    candidates = [frame for frame in sent if frame[0] == number]
    if not candidates:
        return f"frame {number}", "the camera never sent it"
    _, begin, fault = min(candidates, key=lambda frame: abs(frame[1] - press))
    nearest = min((frame for frame in sent if frame[2] == "-"), key=lambda f: abs(f[1] - press))
    offset, dated = (begin - press) / 1e6, (stamp - begin) / 1e6
    line = (
        f"frame {number}: sent {offset:+.1f} ms from the press, dated {dated:+.1f} ms after that;"
        f" the nearest was {nearest[0]} at {(nearest[1] - press) / 1e6:+.1f} ms"
    )
    if fault != "-":
        return line, f"that frame was sent with a fault: {fault}"
    if abs(offset) > within:
        return line, f"more than {within:g} ms from the press"
    if abs(dated) > DATE_SLACK:
        return line, "frameNanoseconds is not when the camera sent it"
    stated = shot.get("deltaMilliseconds")
    if stated is not None and abs(abs(stated) - abs(stamp - press) / 1e6) > 1:
        return line, f"deltaMilliseconds says {stated}"
    return line, None


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--log", required=True, help="of webcam.py")
    parser.add_argument("--within", type=float, default=100, help="milliseconds from the press")
    parser.add_argument("--count", type=int, default=1, help="how many photos there must be")
    parser.add_argument("json", nargs="+", help="files with what retake printed")
    options = parser.parse_args()
    shots = []
    for path in options.json:
        with open(path) as file:
            shots += objects(file.read())
    sent, failed = frames(options.log), False
    for shot in shots:
        line, wrong = judge(shot, sent, options.within)
        print(line + (f". FAILED: {wrong}" if wrong else ""))
        failed = failed or bool(wrong)
    if len(shots) != options.count:
        print(f"FAILED: {len(shots)} photos, not {options.count}")
        failed = True
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
