"""Prints a fault plan for webcam.py: which frames are damaged, and how.

The same numbers give the same plan. 15 % of the frames get a fault, each kind as often. The first
ones are left whole: programs pass over those.
"""

import argparse
import random

KINDS = ("cut50", "cut95", "garbage", "padding", "tiny")
SPARED = 20


def plan(frames, share=0.15, seed=1):
    """Pairs of a frame's index and its fault, in order."""
    count = round(frames * share)
    chosen = random.Random(seed).sample(range(SPARED, frames), count)
    return sorted((index, KINDS[place % len(KINDS)]) for place, index in enumerate(chosen))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--frames", type=int, default=640)
    for index, fault in plan(parser.parse_args().frames):
        print(index, fault)
