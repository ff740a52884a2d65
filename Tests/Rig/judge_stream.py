"""Holds the kernel's account of a stream (v4l2-ctl --verbose) against the camera's log of it.

`judge_stream.py --log FRAMES --account FILE --rate FPS`: prints the rate, and how long after the
camera began to send a frame the kernel dated it. Exits with 1 if frames are missing or late.
"""

import argparse
import re
import statistics
import sys

# How far before and after the logged begin of a frame its date may lie, in nanoseconds.
EARLIEST, LATEST = 1_000_000, 250_000_000


def sent(path):
    """(begin, end, bytes) of the whole frames in the log."""
    with open(path) as log:
        lines = [line.split() for line in log if not line.startswith("#")]
    return [(int(l[2]), int(l[3]), int(l[4])) for l in lines if l[5] != "aborted"]


def received(path):
    """(nanoseconds, bytes) of the frames that arrived."""
    with open(path) as account:
        text = account.read()
    found = re.findall(r"bytesused: (\d+) ts: ([0-9.]+)", text)
    return [(round(float(seconds) * 1e9), int(length)) for length, seconds in found]


def find(frames, stamp, length):
    """The place of the frame that the kernel dated `stamp`, or None.

    The kernel dates a frame at its first packet, which on a busy host can wait for longer than half
    a frame's time, so the nearest beginning may be the next frame's. The right frame is the last of that length
    that had begun.
    """
    fits = [
        place
        for place, (begin, _, size) in enumerate(frames)
        if size == length and begin - EARLIEST <= stamp <= begin + LATEST
    ]
    return fits[-1] if fits else None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--log", required=True)
    parser.add_argument("--account", required=True)
    parser.add_argument("--rate", type=float, required=True)
    options = parser.parse_args()
    frames, arrived = sent(options.log), received(options.account)
    delays, transfers = [], []
    for stamp, length in arrived:
        match = find(frames, stamp, length)
        if match is None:
            sys.exit(f"a frame of {length} bytes was dated {stamp}: no such frame was sent then")
        begin, end, _ = frames[match]
        delays.append((stamp - begin) / 1e6)
        transfers.append((end - begin) / 1e6)
        del frames[: match + 1]
    rate = (len(arrived) - 1) * 1e9 / (arrived[-1][0] - arrived[0][0])
    print(
        f"{len(arrived)} frames at {rate:.1f} fps of {options.rate:g}; dated after"
        f" {statistics.median(delays):.1f} ms (from {min(delays):.1f} to {max(delays):.1f}),"
        f" sent in {statistics.median(transfers):.1f} ms"
    )
    return 0 if rate > options.rate * 0.6 else 1


if __name__ == "__main__":
    sys.exit(main())
