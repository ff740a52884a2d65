"""Measures the web server; see web.sh. Standard library only."""

import argparse
import http.client
import json
import os
import pathlib
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time

RIG = pathlib.Path(__file__).resolve().parents[2] / "Tests/Rig"
sys.path.insert(0, str(RIG))

TICKS = os.sysconf("SC_CLK_TCK")
PORT = 8097
# The rows with the frame's number come first in its data; those bytes no program changes.
KEY = 1024


def key(picture):
    start = picture.find(b"\xff\xda")
    return bytes(picture[start:start + KEY])


def processor_seconds(pid):
    with open(f"/proc/{pid}/stat") as file:
        fields = file.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def rank(values, part):
    return sorted(values)[min(len(values) - 1, int(len(values) * part))]


def connect(target, seconds=60):
    end = time.monotonic() + seconds
    while True:
        try:
            client = socket.create_connection(("127.0.0.1", PORT), timeout=seconds)
            break
        except ConnectionRefusedError:
            if time.monotonic() > end:
                raise
            time.sleep(0.1)
    client.sendall(f"GET {target} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
    return client


def frames(client):
    """Each picture of a multipart stream, with the time of its last byte."""
    data = bytearray()
    while True:
        head = data.find(b"\r\n\r\n", data.find(b"Content-Length:"))
        if data.find(b"Content-Length:") >= 0 and head >= 0:
            start = data.find(b"Content-Length:") + 15
            length = int(data[start:data.find(b"\r\n", start)])
            while len(data) < head + 4 + length:
                data += client.recv(1 << 18)
            now = time.monotonic_ns()
            yield bytes(data[head + 4:head + 4 + length]), now
            del data[:head + 4 + length]
            continue
        part = client.recv(1 << 18)
        if not part:
            return
        data += part


def look(target, count):
    """Viewers in a process of their own, which throw away what they get."""
    def run():
        client = connect(target)
        while client.recv(1 << 20):
            pass
    threads = [threading.Thread(target=run, daemon=True) for _ in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def start(name, options):
    if name == "retake":
        from station import Station
        station = Station(
            options.retake, options.node, options.directory,
            os.path.join(options.directory, "photos"), size="1280x720",
            extra=f'[web]\nlisten = "127.0.0.1:{PORT}"\n')
        station.wait_line("the page is at", seconds=180)
        # The station first finds out which encoders the machine has; that time is not measured
        # here.
        station.wait_line("movies", seconds=300)
        station.wait_camera("streaming", seconds=180)
        return station.process, station.stop, "/preview.mjpg"
    process = subprocess.Popen(
        ["ustreamer", "-d", options.node, "-m", "MJPEG", "-r", "1280x720", "-f", "30", "-c", "HW",
         "-p", str(PORT), "--log-level", "0"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def stop():
        process.send_signal(signal.SIGINT)
        process.wait()
    return process, stop, "/stream"


def sent(log):
    """When the camera had sent each frame, by its number in the clip; the last times it did."""
    times = {}
    with open(log) as file:
        for line in file:
            words = line.split()
            if line[0] != "#" and len(words) >= 5:
                times.setdefault(int(words[1]), []).append(int(words[3]))
    return times


def measure(name, viewers, options, keys):
    process, stop, target = start(name, options)
    stalled, others = None, None
    try:
        client = connect(target)
        if viewers == 21:
            stalled = socket.socket()
            stalled.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            stalled.connect(("127.0.0.1", PORT))
            stalled.sendall(f"GET {target} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
        good = viewers - 1 - (1 if stalled else 0)
        if good:
            others = subprocess.Popen(
                [sys.executable, __file__, "--look", str(good), "--target", target])
        seen = []
        source = frames(client)
        for _ in range(60):
            next(source)
        used, begun = processor_seconds(process.pid), time.monotonic()
        for _ in range(options.frames):
            seen.append(next(source))
        seconds, then = time.monotonic() - begun, processor_seconds(process.pid)
    finally:
        for child in (others,):
            if child:
                child.kill()
                child.wait()
        if stalled:
            stalled.close()
        stop()
    times, delays = sent(options.log), []
    for picture, arrived in seen:
        number = keys.get(key(picture))
        # The nearest: on a busy host a frame is dated after it has arrived, and a turn of the clip
        # takes seconds.
        ends = sorted(times.get(number, []), key=lambda end: abs(arrived - end))
        if ends:
            delays.append((arrived - ends[0]) / 1e6)
    served = len(seen) * max(1, viewers - (1 if stalled else 0))
    return {
        "program": name, "viewers": viewers, "known": len(delays), "frames": len(seen),
        "framesPerSecond": round(len(seen) / seconds, 1),
        "medianMs": round(rank(delays, 0.5), 2) if delays else None,
        "p99Ms": round(rank(delays, 0.99), 2) if delays else None,
        "processorSecondsPer1000": round((then - used) * 1000 / len(seen), 2),
        "processorSecondsPer1000Served": round((then - used) * 1000 / served, 2),
    }


def lists(options):
    """Requests for the first page, and for pages one after the other, of a large library."""
    with tempfile.TemporaryDirectory(prefix="retake-bench-") as directory:
        album = os.path.join(directory, "photos", "booth")
        os.makedirs(album)
        sources = []
        for number in range(1, options.photos + 1):
            path = os.path.join(album, f"IMG_{number:08}.jpg")
            if len(sources) * 10_000 < number:
                with open(path, "wb") as file:
                    file.write(b"\xff\xd8\xff\xd9")
                sources.append(path)
            else:
                os.link(sources[-1], path)
        config = os.path.join(directory, "retake.toml")
        with open(config, "w") as file:
            file.write(
                f'[library]\npath = "{directory}/photos"\nallow-volatile = true\n'
                f'[socket]\npath = "{directory}/socket"\n[web]\nlisten = "127.0.0.1:{PORT}"\n')
        process = subprocess.Popen(
            [options.retake, "run", "--config", config, "--camera", "demo", "--fps", "5", "--json"],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            connect("/healthz").close()
            client = http.client.HTTPConnection("127.0.0.1", PORT, timeout=60)

            def ask(target):
                client.request("GET", target)
                return json.loads(client.getresponse().read())
            while ask("/api/v1/photos?limit=1")["total"] < options.photos:
                time.sleep(0.5)
            # The catalog is made of what was found; while that lasts its answers wait.
            quick, end = 0, time.monotonic() + 300
            while quick < 3 and time.monotonic() < end:
                begun = time.monotonic()
                ask("/api/v1/photos?limit=50")
                quick = quick + 1 if time.monotonic() - begun < 0.1 else 0
                time.sleep(1)
            result = {}
            for name, follows in (("first page", False), ("page after page", True)):
                end, count, cursor = time.monotonic() + 5, 0, None
                while time.monotonic() < end:
                    more = f"&before={cursor.replace('/', '%2F')}" if follows and cursor else ""
                    cursor = ask(f"/api/v1/photos?limit=50{more}")["next"]
                    count += 1
                result[name] = round(count / 5, 1)
            return result
        finally:
            process.terminate()
            process.wait()


def main():
    parser = argparse.ArgumentParser()
    for name in ("--retake", "--node", "--clip", "--log", "--directory", "--target"):
        parser.add_argument(name)
    parser.add_argument("--look", type=int)
    parser.add_argument("--lists", action="store_true")
    parser.add_argument("--frames", type=int, default=300)
    parser.add_argument("--viewers", default="1,10,21")
    parser.add_argument("--photos", type=int, default=100_000)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    if options.look:
        return look(options.target, options.look)
    if options.lists:
        result = lists(options)
        if options.json:
            print(json.dumps({"photos": options.photos, "requestsPerSecond": result}))
        else:
            for name, rate in result.items():
                print(f"/api/v1/photos of {options.photos}, {name}: {rate} requests/s")
        return
    from webcam_frames import Clip
    clip = Clip(options.clip)
    keys = {key(clip[number]): number for number in range(len(clip))}
    results = [measure(name, viewers, options, keys)
               for viewers in map(int, options.viewers.split(",")) for name in ("retake", "ustreamer")]
    if options.json:
        return print(json.dumps(results))
    print("program    viewers  frames/s  median ms  99th ms  CPU s/1000 frames  /1000 served  known")
    for row in results:
        print(f"{row['program']:<10} {row['viewers']:>7}  {row['framesPerSecond']:>8}  "
              f"{row['medianMs']!s:>9}  {row['p99Ms']!s:>7}  {row['processorSecondsPer1000']:>17}  "
              f"{row['processorSecondsPer1000Served']:>12}  {row['known']:>5}")


main()
