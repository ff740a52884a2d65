"""Measures movies; see movie.sh. Standard library only."""

import argparse
import json
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "Tests/Rig"))
from station import Station  # noqa: E402

# The libx264 options that match Retake's quality 75, at 540x720 and 30 frames a second.
X264 = ["-crf", "22", "-maxrate", "4665600", "-bufsize", "4665600", "-bf", "0", "-g", "30"]


def quantile(values, share):
    values = sorted(values)
    return values[min(len(values) - 1, int(share * len(values)))]


def processor_seconds(command):
    """User and system time of a command and of what it waited for."""
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    output = process.stdout.read()
    errors = process.stderr.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise SystemExit(f"{command[0]} ended with {process.returncode}: {errors.decode()}")
    return usage.ru_utime + usage.ru_stime, output


def measure_processor(options, work, codec):
    """Medians of CPU seconds per second of movie: Retake's, and ffmpeg's for what it can do."""
    config = os.path.join(work, f"{codec}.toml")
    with open(config, "w") as file:
        file.write(f'[movie]\ncodec = "{codec}"\npreset = "{options.preset}"\n')
    target = os.path.join(work, "movie.mp4")
    ours = [options.retake, "snap", "--camera", f"clip:{options.clip}", "--config", config,
            "--movie", str(options.seconds), "--output", target, "--json", "--log", "error"]
    peer = ["ffmpeg", "-v", "error", "-y", "-re", "-stream_loop", "-1", "-framerate", "30",
            "-f", "mjpeg", "-i", options.clip, "-t", str(options.seconds)]
    peer += ["-c", "copy"] if codec == "copy" else [
        "-vf", "crop=540:720", "-pix_fmt", "yuv420p", "-c:v", "libx264", "-preset",
        options.preset, *X264]
    peer += ["-movflags", "+faststart", os.path.join(work, "peer.mp4")]
    retake, ffmpeg, lost, frames = [], [], 0, 0
    for _ in range(options.runs):
        # In turn, so that whatever else the machine does falls on both.
        seconds, output = processor_seconds(ours)
        movie = json.loads(output)["movie"]
        retake.append(seconds / (movie["durationMilliseconds"] / 1000))
        lost += movie["framesLost"]
        frames += movie["frames"]
        ffmpeg.append(processor_seconds(peer)[0] / options.seconds)
    return {
        "retakeCPU": round(statistics.median(retake), 3),
        "ffmpegCPU": round(statistics.median(ffmpeg), 3),
        "ratio": round(statistics.median(a / b for a, b in zip(retake, ffmpeg)), 3),
        "framesLost": lost, "framesPerSecond": round(frames / options.runs / options.seconds, 2)}


def start(options, work, maximum):
    library = options.library or os.path.join(work, "photos")
    station = Station(
        options.retake, f"clip:{options.clip}", work, library,
        extra=f'[movie]\ncodec = "h264"\npreset = "{options.preset}"\nmaximum = {maximum}\n')
    station.wait_line("using ")
    station.wait_status("an encoder", lambda status: status["movies"].get("codec"))
    return station


def begin(station):
    end = time.monotonic() + 20
    while not station.ask("record")[0]:
        if time.monotonic() > end:
            raise SystemExit(f"no movie begins: {station.lines[-3:]}")
        time.sleep(0.05)


def measure_stops(options, work):
    station = start(options, work, 30)
    reviewable, durable, lost = [], [], 0
    for index in range(options.stops):
        station.wait_state("idle", "finished", "cancelled")
        begin(station)
        time.sleep(1.5 + (index * 7 % 33) / 1000)
        stopped = time.monotonic()
        station.ask("record")
        station.wait_state("reviewing")
        reviewable.append((time.monotonic() - stopped) * 1000)
        time.sleep(0.85)
        at = len(station.lines)
        asked = time.monotonic()
        while not station.ask("accept")[0]:
            asked = time.monotonic()
        saved, _ = station.wait_line("saved /", after=at)
        durable.append((saved - asked) * 1000)
    status = station.status()
    lost = status["movies"]["framesLost"]
    station.stop()
    both = [first + second for first, second in zip(reviewable, durable)]
    return {
        "stops": len(reviewable), "framesLost": lost,
        # Without the time that a guest takes to decide.
        "stopToDurableP50Ms": round(quantile(both, 0.5), 1),
        "stopToDurableP99Ms": round(quantile(both, 0.99), 1),
        "stopToReviewableP50Ms": round(quantile(reviewable, 0.5), 1),
        "stopToReviewableP99Ms": round(quantile(reviewable, 0.99), 1),
        "acceptToDurableP50Ms": round(quantile(durable, 0.5), 1),
        "acceptToDurableP99Ms": round(quantile(durable, 0.99), 1)}


def measure_memory(options, work):
    station = start(options, work, options.long)
    begin(station)
    samples = []
    begun = time.monotonic()
    published = station.status()["camera"]["framesPublished"]
    while station.status()["state"] == "recording":
        samples.append(station.anonymous_kilobytes() / 1024)
        time.sleep(min(5, options.long / 20))
    status = station.status()
    station.ask("cancel")
    station.stop()
    # The pool's memory is taken as it is first gone round.
    settled = samples[len(samples) // 4:]
    return {
        "seconds": round(time.monotonic() - begun), "firstMB": round(settled[0], 1),
        "lastMB": round(settled[-1], 1), "mostMB": round(max(settled), 1),
        "framesLost": status["movies"]["framesLost"],
        "framesPublished": status["camera"]["framesPublished"] - published}


def processor_words(row, goal):
    return (f"CPU seconds a second of movie {row['retakeCPU']}, ffmpeg {row['ffmpegCPU']}, ratio "
            f"{row['ratio']}{goal}, frames lost {row['framesLost']} (goal 0), "
            f"{row['framesPerSecond']} frames a second")


def stop_words(row):
    return (f"stop to reviewable p50 {row['stopToReviewableP50Ms']} ms, p99 "
            f"{row['stopToReviewableP99Ms']} ms (goal 300); to durable, but for the guest's time, p50 "
            f"{row['stopToDurableP50Ms']} ms, p99 {row['stopToDurableP99Ms']} ms (goal 300), of that "
            f"after the accept {row['acceptToDurableP50Ms']} and {row['acceptToDurableP99Ms']} ms "
            f"({row['stops']} movies, {row['framesLost']} frames lost)")


def memory_words(row):
    return (f"{row['seconds']} s of recording: memory {row['firstMB']} to {row['lastMB']} MB, at most "
            f"{row['mostMB']}; {row['framesLost']} of {row['framesPublished']} frames lost")


TELLERS = {
    "h264": lambda row: "h264: " + processor_words(row, " (goal 1.05)"),
    # A copy without a look at the frames is not what a booth wants: no goal.
    "copy": lambda row: "copy: " + processor_words(row, ""), "stop": stop_words,
    "memory": memory_words}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--retake", required=True)
    parser.add_argument("--clip", required=True)
    parser.add_argument("--library")
    parser.add_argument("--preset", default="veryfast")
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--stops", type=int, default=20)
    parser.add_argument("--long", type=float, default=600)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    # Not below /tmp, which may be a RAM disk: a sync costs nothing there.
    work = tempfile.mkdtemp(prefix="retake-bench-", dir="/var/tmp")
    try:
        result = {"preset": options.preset}
        tell = TELLERS if not options.json else {}
        if tell:
            print(f"720p30 from a clip, preset {options.preset}", flush=True)
        parts = [(codec, lambda codec=codec: measure_processor(options, work, codec))
                 for codec in ("h264", "copy")]
        if options.stops:
            parts.append(("stop", lambda: measure_stops(options, work)))
        if options.long:
            parts.append(("memory", lambda: measure_memory(options, work)))
        for name, measure in parts:
            result[name] = measure()
            # At once: all of it takes a quarter of an hour.
            if name in tell:
                print(f"  {tell[name](result[name])}", flush=True)
    finally:
        shutil.rmtree(work, ignore_errors=True)
    if options.json:
        print(json.dumps(result, indent=2))


if __name__ == "__main__":
    main()
