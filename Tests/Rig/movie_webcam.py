"""Records a movie of the rig's USB camera and judges it; see movie-webcam.sh.

Every frame that the station published between the first and the last of the movie is in it, in
order; its number is one that the camera sent; its time is the kernel's date of its buffer.
"""

import argparse
import json
import pathlib
import subprocess
import sys
import time

import frame_number
from station import Station

ALLOWED = 0.002


def decoded(path, width, height):
    """The numbers of all pictures."""
    data = subprocess.run(
        ["ffmpeg", "-v", "error", "-i", path, "-vsync", "0", "-f", "rawvideo", "-pix_fmt", "gray",
         "-"], stdout=subprocess.PIPE, check=True).stdout
    size = width * height
    return [
        frame_number.read(lambda x, y, at=at: data[at + y * width + x], width, height)
        for at in range(0, len(data), size)]


def times(path):
    output = subprocess.run(
        ["ffprobe", "-v", "error", "-of", "json", "-show_packets", "-show_streams", path],
        stdout=subprocess.PIPE, check=True).stdout
    details = json.loads(output)
    (stream,) = details["streams"]
    return stream, [float(packet["pts_time"]) for packet in details["packets"]]


def published(path):
    """The kernel's dates of the frames that the station published."""
    with open(path) as file:
        rows = [line.split() for line in file]
    return [int(row[1]) for row in rows if row[4] in ("clean", "repairable")]


def sent(path):
    with open(path) as file:
        return [int(line.split()[1]) for line in file if not line.startswith("#")]


def judge(movie, options, frame_log):
    """Returns the faults of the movie; empty if there are none."""
    report, path = movie["movie"], movie["path"]
    wrong = []
    dates = [date for date in published(frame_log)
             if report["startNanoseconds"] <= date <= report["lastNanoseconds"]]
    stream, stamps = times(path)
    if len(stamps) != len(dates):
        wrong.append(f"{len(stamps)} pictures of {len(dates)} frames")
    worst = max(abs(stamp - (date - report["startNanoseconds"]) / 1e9)
                for stamp, date in zip(stamps, dates))
    if worst > ALLOWED:
        wrong.append(f"a picture's time is {worst * 1000:.3f} ms from the kernel's")
    read = decoded(path, stream["width"], stream["height"])
    if None in read:
        wrong.append(f"{read.count(None)} numbers cannot be read")
    wire = sent(options.log)
    starts = [at for at in range(len(wire)) if wire[at:at + len(read)] == read]
    if not starts:
        wrong.append(f"the camera never sent these in this order: {read}")
    if report["framesLost"]:
        wrong.append(f"{report['framesLost']} frames found no room")
    if (movie["width"], movie["height"]) != (360, 480):
        wrong.append(f"it is {movie['width']}x{movie['height']}, not portrait")
    print(f"{report['codec']}: {len(stamps)} pictures in {report['durationMilliseconds']} ms, times "
          f"within {worst * 1000:.3f} ms of the kernel's, ended: {report['end']}")
    return wrong


def main():
    parser = argparse.ArgumentParser()
    for name in ("retake", "camera", "codec", "log", "directory", "library", "report"):
        parser.add_argument("--" + name, required=True)
    parser.add_argument("--seconds", type=float, default=5)
    parser.add_argument("--unplug")
    options = parser.parse_args()
    name = options.codec + ("-pulled" if options.unplug else "")
    frame_log = f"{options.directory}/movie-{name}.frames"
    station = Station(
        options.retake, options.camera, options.directory, options.library, size="640x480",
        frame_log=frame_log, extra=f"""rate = 10
[movie]
codec = "{options.codec}"
preset = "ultrafast"
maximum = {options.seconds}
preroll = 0
""")
    station.wait_line("using ")
    station.wait_status("an encoder", lambda status: status["movies"].get("codec"), 120)
    end = time.monotonic() + 60
    while not station.ask("record")[0]:
        if time.monotonic() > end:
            sys.exit(f"no movie begins: {station.lines[-5:]}")
        time.sleep(0.1)
    if options.unplug:
        station.wait_status("some frames", lambda status: status["movies"]["frames"] >= 8)
        with open(options.unplug, "w") as control:
            control.write("unplug\n")
    station.wait_state("reviewing", seconds=120)
    if list(pathlib.Path(options.library).rglob("*.mp4")):
        sys.exit("a movie that nobody has accepted has a name")
    end = time.monotonic() + 30
    while not station.ask("accept")[0] and time.monotonic() < end:
        time.sleep(0.1)
    station.wait_line("saved /")
    movie = station.wait_status("the movie", lambda status: status.get("lastPhoto"))["lastPhoto"]
    (pathlib.Path(options.report) / f"movie-{name}.json").write_text(json.dumps(movie, indent=2))
    lost = station.status()["camera"]["framesDropped"]
    station.stop()
    wrong = judge(movie, options, frame_log)
    wanted = "camera-lost" if options.unplug else "maximum"
    if movie["movie"]["end"] != wanted:
        wrong.append(f"it ended as {movie['movie']['end']}, not {wanted}")
    if lost and not options.unplug:
        wrong.append(f"the camera lost {lost} frames")
    for line in wrong:
        print(f"WRONG: {line}")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
