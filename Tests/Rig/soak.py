"""Watches a station stream for a long time, with a photo every half minute; see soak.sh."""

import argparse
import sys
import time

from station import Station

# Memory of the first minute is not counted, because some buffers are made when first needed.
SETTLED = 60
# Pages that come and go; a leak of one frame a minute would be far beyond it.
SLACK_KILOBYTES = 1024


def take(station):
    station.wait_state("idle", "finished", seconds=20)
    if not station.ask("shutter")[0]:
        return
    station.wait_state("reviewing", seconds=20)
    end = time.monotonic() + 10
    while not station.ask("accept")[0] and time.monotonic() < end:
        time.sleep(0.1)
    station.wait_state("idle", "finished", seconds=20)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("retake", "camera", "directory", "library"):
        parser.add_argument("--" + name, required=True)
    parser.add_argument("--minutes", type=float, default=30)
    options = parser.parse_args()
    station = Station(
        options.retake, options.camera, options.directory, options.library, size="1280x720")
    station.wait_line("using ")
    begin, samples = time.monotonic(), []
    settled = min(SETTLED, options.minutes * 60 / 3)
    next_photo = begin
    while (elapsed := time.monotonic() - begin) < options.minutes * 60:
        if time.monotonic() >= next_photo:
            take(station)
            next_photo += 30
        status = station.status()
        samples.append((elapsed, station.anonymous_kilobytes(), int(station.field("VmRSS")),
                        station.descriptors(), int(station.field("Threads")),
                        status["camera"]["framesPublished"]))
        time.sleep(5)
    status = station.status()
    code = station.stop()
    kept = [sample for sample in samples if sample[0] >= settled]
    third = max(1, len(kept) // 3)
    # The least of each end: what is really held, whatever a photo takes for a moment.
    first, last = (min(part, key=lambda sample: sample[1]) for part in (kept[:third], kept[-third:]))
    fields = [min(sample[3] for sample in part) for part in (kept[:third], kept[-third:])]
    print(f"{options.minutes:g} minutes, {samples[-1][5]} frames published,"
          f" {status['camera']['framesDropped']} lost by the driver, {status['photos']} photos;"
          f" anonymous memory {first[1]} kB at the start, {last[1]} kB at the end"
          f" (least {min(s[1] for s in kept)}, most {max(s[1] for s in kept)});"
          f" resident {first[2]} kB and {last[2]} kB; descriptors {fields[0]} and {fields[1]}"
          f" (most {max(s[3] for s in kept)}); threads {kept[0][4]} and {kept[-1][4]}")
    if last[1] > first[1] + SLACK_KILOBYTES:
        sys.exit("FAILED: memory grows")
    if fields[1] > fields[0]:
        sys.exit("FAILED: descriptors grow")
    if code:
        sys.exit(f"FAILED: the station ended with {code}")


if __name__ == "__main__":
    main()
