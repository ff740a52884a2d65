"""Measures the way from a press to a photo; see path.sh. Standard library and Pillow only."""

import argparse
import json
import os
import pathlib
import shutil
import signal
import statistics
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "Tests/Rig"))
from read_number import number_in  # noqa: E402
from station import Station  # noqa: E402


def quantile(values, share):
    values = sorted(values)
    return values[min(len(values) - 1, int(share * len(values)))]


def sent_frames(path, is_webcam):
    """(number, nanoseconds) of the frames in a source's own log."""
    with open(path) as file:
        rows = [line.split() for line in file if not line.startswith("#")]
    if is_webcam:
        return [(int(row[1]), int(row[2])) for row in rows if len(row) > 2]
    return [(int(row[0]) % 4096, int(row[1])) for row in rows if len(row) > 1]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--retake", required=True)
    parser.add_argument("--camera", default="demo")
    parser.add_argument("--clip")
    parser.add_argument("--webcam-log")
    parser.add_argument("--library")
    parser.add_argument("--presses", type=int, default=40)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    work = tempfile.mkdtemp(prefix="retake-bench-")
    library = options.library or os.path.join(work, "photos")
    result = {"camera": options.camera}

    if not options.webcam_log:
        starts = []
        for _ in range(10):
            station = Station(options.retake, options.camera, work, library)
            starts.append((station.wait_line("using ")[0] - station.started) * 1000)
            station.stop()
        result["startToFirstFrameMs"] = round(statistics.median(starts), 1)

    source_log = options.webcam_log or os.path.join(work, "frames")
    station = Station(
        options.retake, options.camera, work, library,
        size="1280x720" if options.webcam_log else None,
        source_log=None if options.webcam_log else source_log)
    station.wait_line("using ")
    presses, saves = [], []
    for index in range(options.presses):
        # At every phase of the frame: the presses are spread over its period.
        time.sleep(0.9 + (index * 7 % 33) / 1000)
        station.wait_state("idle", "finished")
        pressed = time.clock_gettime_ns(time.CLOCK_MONOTONIC)
        station.process.send_signal(signal.SIGUSR1)
        station.wait_state("reviewing")
        time.sleep(0.85)
        at = len(station.lines)
        asked = time.monotonic()
        while not station.ask("accept")[0]:
            asked = time.monotonic()
        saved, line = station.wait_line("saved /", after=at)
        saves.append((saved - asked) * 1000)
        path = station.lines[line][1].split("saved ", 1)[1].split(" ")[0]
        presses.append((pressed, path))
    status = station.status()
    result["framesCopied"] = status["camera"]["framesCopied"]
    result["framesPublished"] = status["camera"]["framesPublished"]
    station.stop()

    frames = sent_frames(source_log, options.webcam_log)
    period = statistics.median(b[1] - a[1] for a, b in zip(frames, frames[1:])) / 1e6
    deltas, extra = [], []
    for pressed, path in presses:
        number = number_in(path)
        chosen = min((t for n, t in frames if n == number), key=lambda t: abs(t - pressed))
        best = min((t for _, t in frames), key=lambda t: abs(t - pressed))
        deltas.append(abs(chosen - pressed) / 1e6)
        extra.append((abs(chosen - pressed) - abs(best - pressed)) / 1e6)
    result.update({
        "presses": len(deltas), "framePeriodMs": round(period, 2),
        "deltaP50Ms": round(quantile(deltas, 0.5), 2), "deltaMaxMs": round(max(deltas), 2),
        "nearestChosen": sum(1 for value in extra if value < 0.001),
        "acceptToDurableP50Ms": round(quantile(saves, 0.5), 2),
        "acceptToDurableP99Ms": round(quantile(saves, 0.99), 2)})

    camera = options.camera if options.webcam_log else f"clip:{options.clip}"
    station = Station(options.retake, camera, work, library,
                      size="1920x1080" if options.webcam_log else None)
    station.wait_line("using ")
    while station.status()["camera"]["framesPublished"] < 150:
        time.sleep(0.1)
    result["anonymousMemory1080pMB"] = round(station.anonymous_kilobytes() / 1024, 1)
    result["mode1080p"] = station.status()["camera"]["mode"]
    station.stop()
    shutil.rmtree(work, ignore_errors=True)

    if options.json:
        print(json.dumps(result, indent=2))
        return
    half = period / 2
    rows = [
        ("process start to first frame", f"{result.get('startToFirstFrameMs', '-')} ms", ""),
        (f"press to chosen frame, {len(deltas)} presses, p50", f"{result['deltaP50Ms']} ms",
         f"goal {half:.1f} (half a frame)"),
        ("  max", f"{result['deltaMaxMs']} ms", f"goal {period:.1f} (one frame)"),
        ("  nearest frame chosen", f"{result['nearestChosen']} of {len(deltas)}", ""),
        ("accept to durable, p50", f"{result['acceptToDurableP50Ms']} ms", ""),
        ("  p99", f"{result['acceptToDurableP99Ms']} ms", ""),
        (f"anonymous memory, {result['mode1080p']}", f"{result['anonymousMemory1080pMB']} MB",
         "goal 40"),
        ("frames copied in user space", f"{result['framesCopied']} of {result['framesPublished']}",
         "goal 0"),
    ]
    print(f"camera: {options.camera}")
    for name, value, goal in rows:
        print(f"  {name:<48}{value:>14}  {goal}")


if __name__ == "__main__":
    main()
