"""Runs the station on a clip and reads what it cost: see idle.sh."""

import argparse
import json
import os
import pathlib
import shutil
import signal
import subprocess
import tempfile
import time

TICK = os.sysconf("SC_CLK_TCK")


def cpu(process):
    fields = pathlib.Path(f"/proc/{process}/stat").read_text().rsplit(") ", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / TICK


def memory(process):
    """Anonymous memory in MiB: what no file could give back."""
    text = pathlib.Path(f"/proc/{process}/smaps_rollup").read_text()
    values = dict(line.split(":") for line in text.splitlines()[1:])
    return int(values["Anonymous"].split()[0]) / 1024


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--clip", required=True)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    place = tempfile.mkdtemp(prefix="retake-idle-", dir="/var/tmp")
    config = pathlib.Path(place) / "retake.toml"
    config.write_text(f'[library]\npath = "{place}/photos"\n[socket]\npath = "{place}/socket"\n')
    process = subprocess.Popen(
        [os.environ["RETAKE_BINARY"], "run", "--config", config, "--camera",
         f"clip:{os.path.realpath(arguments.clip)}", "--fps", "30"],
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        end = time.monotonic() + 30
        while not os.path.exists(f"{place}/socket"):
            if process.poll() is not None or time.monotonic() > end:
                raise SystemExit("the station did not start")
            time.sleep(0.05)
        time.sleep(3)  # the first frames and the first look at the library are no idling
        before, begin = cpu(process.pid), time.monotonic()
        time.sleep(arguments.seconds)
        share = (cpu(process.pid) - before) / (time.monotonic() - begin) * 100
        result = {"cpuPercent": round(share, 2), "anonymousMiB": round(memory(process.pid), 1)}
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(20)
        shutil.rmtree(place, ignore_errors=True)
    if arguments.json:
        print(json.dumps(result))
    else:
        print(f"CPU              {result['cpuPercent']:6.2f} % of one core (goal: under 3)")
        print(f"anonymous memory {result['anonymousMiB']:6.1f} MiB (goal: under 40)")


main()
