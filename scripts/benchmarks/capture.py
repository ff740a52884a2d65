"""Measures capture against peers, inside the virtual machine; see capture.sh. Standard library only."""

import argparse
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import time

RIG = pathlib.Path(__file__).resolve().parents[2] / "Tests/Rig"
sys.path.insert(0, str(RIG))
import fault_plan  # noqa: E402
from station import Station  # noqa: E402

TICKS = os.sysconf("SC_CLK_TCK")
PORT = 8098


class Webcam:
    """The camera: what it sent, and its cable."""

    def __init__(self, options):
        self.options = options

    def say(self, command):
        with open(self.options.control, "w") as control:
            control.write(command + "\n")

    def sent(self):
        with open(self.options.log) as log:
            return sum(1 for line in log if line[0] != "#")

    def wait_frames(self, count, seconds=240):
        end = time.monotonic() + seconds
        while self.sent() < count:
            if time.monotonic() > end:
                sys.exit(f"the camera sent {self.sent()} of {count} frames in {seconds} s")
            time.sleep(0.1)


def ustreamer(node, *more):
    return ["ustreamer", "-d", node, "-m", "MJPEG", "-r", "1280x720", "-f", "30", "-c", "HW",
            "-p", str(PORT), *more]


def commands(options):
    """Returns the command of each program that only receives the frames."""
    return {
        "v4l2-ctl": ["v4l2-ctl", "-d", options.node,
                     "--set-fmt-video=width=1280,height=720,pixelformat=MJPG", "--set-parm=30",
                     "--stream-mmap=4", "--stream-count=1000000", "--stream-to=/dev/null"],
        "ffmpeg": ["ffmpeg", "-nostdin", "-v", "error", "-f", "v4l2", "-input_format", "mjpeg",
                   "-video_size", "1280x720", "-framerate", "30", "-i", options.node,
                   "-c", "copy", "-f", "null", "-"],
        "ustreamer": ustreamer(options.node, "--log-level", "0"),
    }


def start(name, options):
    """The program's process, and what ends it."""
    if name == "retake":
        # A station tries its movie encoder once when it starts; that is no part of taking frames.
        station = Station(
            options.retake, options.node, options.directory,
            os.path.join(options.directory, "photos"), size="1280x720",
            extra='[movie]\ncodec = "copy"\n')
        return station.process, station.stop
    process = subprocess.Popen(
        commands(options)[name.split(",")[0]], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    viewer = None

    def stop():
        if viewer:
            viewer.terminate()
            viewer.wait()
        process.send_signal(signal.SIGINT)
        process.wait()

    if "," in name:
        viewer = subprocess.Popen(
            ["curl", "-s", "-o", "/dev/null", "--retry", "20", "--retry-delay", "1",
             "--retry-connrefused", f"http://127.0.0.1:{PORT}/stream"])
    return process, stop


def processor_seconds(pid):
    with open(f"/proc/{pid}/stat") as file:
        fields = file.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def memory(pid):
    """Resident kilobytes: all, and what is the program's own."""
    found = {}
    with open(f"/proc/{pid}/status") as file:
        for line in file:
            words = line.split()
            if words[0] in ("VmRSS:", "RssAnon:"):
                found[words[0][:-1]] = int(words[1])
    return found


def measure_load(name, webcam, options):
    before = webcam.sent()
    process, stop = start(name, options)
    webcam.wait_frames(before + 60)
    first, used = webcam.sent(), processor_seconds(process.pid)
    webcam.wait_frames(first + options.frames)
    last, then = webcam.sent(), processor_seconds(process.pid)
    held = memory(process.pid)
    stop()
    return {
        "program": name, "frames": last - first,
        "processorSecondsPer1000": round((then - used) * 1000 / (last - first), 2),
        "residentMB": round(held["VmRSS"] / 1024, 1), "anonymousMB": round(held["RssAnon"] / 1024, 1),
    }


def measure_faults(name, options):
    result = subprocess.run(
        [sys.executable, str(RIG / "watch_faults.py"), "--program", name, "--retake",
         options.retake, "--node", options.node, "--log", options.log, "--clip", options.clip,
         "--directory", options.directory, "--frames", str(options.faults)],
        stdout=subprocess.PIPE, text=True)
    if result.returncode:
        return {"program": name, "failed": True}
    return json.loads(result.stdout)


def appeared(node):
    """When the node was made, by CLOCK_MONOTONIC; None while it is not there."""
    try:
        made = os.stat(node).st_ctime_ns
    except OSError:
        return None
    return made - time.time_ns() + time.monotonic_ns()


def first_frames(name, log):
    """When the program took the first frame that `log` tells of, and when the first that it gave on.

    Nanoseconds, or None. ustreamer does not tell what it gives on. Retake passes over the first
    frames of a stream: the camera of this measurement sends nothing but whole ones.
    """
    taken = None
    with open(log) as file:
        for line in file:
            if name == "retake":
                words = line.split()
                if len(words) != 5:
                    continue
                taken = taken or int(words[2])
                if words[4] in ("clean", "repairable"):
                    return taken, int(words[2])
            elif match := re.search(r"\[(\d+\.\d+)\s+stream\].*Grabbed", line):
                return (round(float(match[1]) * 1e9),) * 2
    return taken, None


def measure_return(name, webcam, options):
    """How long after the node's return the first clean frame was dequeued, each time."""
    log = os.path.join(options.directory, f"{name}.return")
    if name == "retake":
        open(log, "w").close()
        station = Station(
            options.retake, options.node, options.directory,
            os.path.join(options.directory, "photos"), size="1280x720", frame_log=log)
        stop = station.stop
    else:
        output = open(log, "w")
        process = subprocess.Popen(
            ["stdbuf", "-oL", "-eL", *ustreamer(options.node, "--debug")], stdout=output,
            stderr=output)

        def stop():
            process.send_signal(signal.SIGINT)
            process.wait()
            output.close()

    delays, published = [], []
    for cycle in range(options.cycles):
        webcam.wait_frames(webcam.sent() + 20)
        webcam.say("unplug")
        while os.path.exists(options.node):
            time.sleep(0.01)
        # At every phase of the program's own waiting.
        time.sleep(1.2 + cycle * 7 % 10 / 10)
        os.truncate(log, 0)
        webcam.say("plug")
        end = time.monotonic() + 30
        taken = given = node = None
        while time.monotonic() < end and given is None:
            time.sleep(0.05)
            node = appeared(options.node)
            if node is not None:
                taken, given = first_frames(name, log)
        delays.append(None if given is None else (taken - node) / 1e9)
        if given is not None:
            published.append((given - node) / 1e9)
    stop()
    known = sorted(delay for delay in delays if delay is not None)
    return {
        "program": name, "cycles": len(delays), "returned": len(known),
        "medianSeconds": round(known[len(known) // 2], 3) if known else None,
        "leastSeconds": round(known[0], 3) if known else None,
        "mostSeconds": round(known[-1], 3) if known else None,
        "publishedMedianSeconds": round(sorted(published)[len(published) // 2], 3)
        if name == "retake" and published else None,
    }


def restart_with_faults(options):
    """The same camera with the plan: the one process that has it is asked to go first."""
    os.kill(options.webcam, signal.SIGTERM)
    while os.path.exists(options.node):
        time.sleep(0.05)
    plan = os.path.join(options.directory, "plan")
    with open(plan, "w") as file:
        for index, fault in fault_plan.plan(options.faults):
            file.write(f"{index} {fault}\n")
    return subprocess.Popen(
        [sys.executable, str(RIG / "webcam.py"), "--serial", options.serial, "--log", options.log,
         "--control", options.control, "--fps", "30", "--mjpeg", f"1280x720={options.clip}",
         "--faults", plan], stdout=subprocess.DEVNULL)


def table(title, rows, columns):
    print(title)
    print("  " + " ".join(f"{head:>{width}}" for head, _, width in columns))
    for row in rows:
        print("  " + " ".join(f"{str(row.get(key, '-')):>{width}}" for _, key, width in columns))


def main():
    parser = argparse.ArgumentParser()
    for name in ("retake", "node", "clip", "log", "control", "directory", "serial"):
        parser.add_argument("--" + name, required=True)
    parser.add_argument("--webcam", type=int, required=True)
    parser.add_argument("--frames", type=int, default=600)
    parser.add_argument("--faults", type=int, default=640)
    parser.add_argument("--cycles", type=int, default=10)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    webcam = Webcam(options)
    result = {"load": [], "return": [], "faults": []}
    if options.frames:
        for name in ("retake", "v4l2-ctl", "ffmpeg", "ustreamer", "ustreamer,viewer"):
            result["load"].append(measure_load(name, webcam, options))
    if options.cycles:
        for name in ("retake", "ustreamer"):
            result["return"].append(measure_return(name, webcam, options))
    if options.faults:
        camera = restart_with_faults(options)
        while not os.path.exists(options.node):
            time.sleep(0.1)
        time.sleep(1)
        for name in ("retake", "v4l2-ctl", "ffmpeg", "ustreamer"):
            result["faults"].append(measure_faults(name, options))
        camera.terminate()
        camera.wait()
    if options.json:
        print(json.dumps(result, indent=2))
        return
    table("load, MJPEG 1280x720 at 30 fps (goal: under 1.5)", result["load"],
          [("program", "program", 18), ("frames", "frames", 7),
           ("CPU s/1000", "processorSecondsPer1000", 11), ("resident MB", "residentMB", 12),
           ("own MB", "anonymousMB", 8)])
    table("first clean frame after the node's return (goal: 3 times sooner than ustreamer)",
          result["return"],
          [("program", "program", 18), ("cycles", "cycles", 7), ("back", "returned", 6),
           ("median s", "medianSeconds", 9), ("least s", "leastSeconds", 8),
           ("most s", "mostSeconds", 8), ("published s", "publishedMedianSeconds", 11)])
    table("faults (goal: 0 damaged published, 0 good dropped)", result["faults"],
          [("program", "program", 18), ("sent", "framesSent", 6), ("damaged", "damagedSent", 8),
           ("published", "damagedPublished", 10), ("good dropped", "goodDropped", 13),
           ("lost before it", "lostBeforeTheProgram", 15)])


if __name__ == "__main__":
    main()
