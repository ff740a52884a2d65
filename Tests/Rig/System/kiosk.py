"""Inside a Debian 13 with cage and Chromium: the kiosk's command line on a headless output.

Starts the station on the demo camera, and the kiosk as systemd would, with a socket in systemd's place
that hears what the watcher says. A picture of the screen is taken once it stands still.
"""

import hashlib
import os
import pathlib
import shlex
import signal
import socket
import struct
import subprocess
import sys
import threading
import time
import zlib

OUT = pathlib.Path("/out")
USER = 65534
PAGE = "http://127.0.0.1:8080/"


def start(words, log, **more):
    return subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=open(OUT / log, "w"),
                            stderr=subprocess.STDOUT, start_new_session=True, **more)


def answers():
    return subprocess.run(["curl", "-fsS", "-m", "5", "-o", "/dev/null", PAGE],
                          stderr=subprocess.DEVNULL).returncode == 0


def colours(png):
    """How many different bytes the picture's first rows have: a blank screen has a handful."""
    data = png.read_bytes()
    width, height, depth, kind = struct.unpack(">IIBB", data[16:26])
    place, packed = 8, b""
    while place < len(data):
        length, name = struct.unpack(">I4s", data[place:place + 8])
        if name == b"IDAT":
            packed += data[place + 8:place + 8 + length]
        place += length + 12
    return width, height, len(set(zlib.decompress(packed)))


def main():
    subprocess.run(["ip", "link", "set", "lo", "up"], check=True)
    runtime = pathlib.Path("/run/retake-kiosk")
    runtime.mkdir(mode=0o700)
    os.chown(runtime, USER, USER)
    pathlib.Path("/run/retake").mkdir()
    os.chmod("/run/retake", 0o755)
    config = pathlib.Path("/run/config.toml")
    config.write_text('[camera]\ndevice = "demo"\n[library]\nallow-volatile = true\npath = "/run/photos"\n'
                      '[socket]\npath = "/run/retake/socket"\nmode = "0666"\n')
    station = start(["retake", "run", "--config", str(config)], "station.log")
    end = time.monotonic() + 60
    while not os.path.exists("/run/retake/socket") and time.monotonic() < end:
        time.sleep(0.1)
    time.sleep(1)
    own = answers()
    if not own:
        # A station without its page: any page shows whether the browser does.
        web = pathlib.Path("/run/web")
        web.mkdir()
        (web / "index.html").write_text(
            "<!doctype html><title>x</title><body style='background:linear-gradient(red,blue)'><h1>Retake</h1>")
        start([sys.executable, "-m", "http.server", "-b", "127.0.0.1", "8080", "-d", str(web)], "web.log")
        while not answers():
            time.sleep(0.2)

    notify = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    notify.bind("/run/notify")
    os.chmod("/run/notify", 0o777)
    said = []

    def hear():
        while True:
            said.append(notify.recv(4096).decode())
    threading.Thread(target=hear, daemon=True).start()

    words = shlex.split(pathlib.Path("/usr/local/share/command").read_text())
    environment = {"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "HOME": str(runtime),
                   "XDG_RUNTIME_DIR": str(runtime), "XDG_CACHE_HOME": str(runtime / "cache"),
                   "NOTIFY_SOCKET": "/run/notify", "WATCHDOG_USEC": "60000000",
                   "WLR_BACKENDS": "headless", "WLR_LIBINPUT_NO_DEVICES": "1", "WLR_RENDERER": "pixman"}
    begin = time.monotonic()
    kiosk = start(words, "kiosk.log", env=environment, user=USER, group=USER, extra_groups=[])
    shot, before, shown = OUT / "screen.png", None, None
    grim = runtime / "screen.png"
    viewer = {**environment, "WAYLAND_DISPLAY": "wayland-0"}
    while time.monotonic() < begin + 180 and kiosk.poll() is None:
        time.sleep(1)
        done = subprocess.run(["grim", str(grim)], env=viewer, user=USER, group=USER, extra_groups=[],
                              stderr=subprocess.DEVNULL)
        if done.returncode != 0 or not grim.exists():
            continue
        width, height, kinds = colours(grim)
        now = hashlib.sha256(grim.read_bytes()).hexdigest()
        if kinds > 24 and (own or now == before):
            shown = time.monotonic() - begin
            shot.write_bytes(grim.read_bytes())
            break
        before = now
    if shown is None:
        print("FAILED: no page on the screen; see kiosk.log")
        print((OUT / "kiosk.log").read_text()[-2000:])
        return 1
    if "READY=1" not in said[0] or "WATCHDOG=1" not in said:
        print(f"FAILED: the watcher said {said}")
        return 1
    # A browser that hangs gets no beats any more (systemd would start it anew), one that lives again does.
    if own:
        end = time.monotonic() + 30
        while "STATUS=the page is alive" not in said and time.monotonic() < end:
            time.sleep(0.2)
        browser = subprocess.run(["pgrep", "-f", "^/usr/lib/chromium"], capture_output=True, text=True).stdout.split()
        for process in browser:
            os.kill(int(process), signal.SIGSTOP)
        time.sleep(25)
        before = len(said)
        time.sleep(10)
        hanging = said[before:]
        for process in browser:
            os.kill(int(process), signal.SIGCONT)
        end = time.monotonic() + 30
        while "WATCHDOG=1" not in said[before + len(hanging):] and time.monotonic() < end:
            time.sleep(0.2)
        if "WATCHDOG=1" in hanging or "WATCHDOG=1" not in said[before + len(hanging):]:
            print(f"FAILED: with {len(browser)} hanging browser processes the watcher said {hanging}: {said}")
            return 1
    # A stop is clean, and leaves nobody behind.
    kiosk.terminate()
    kiosk.wait(20)
    left = subprocess.run(["ps", "-eo", "args"], capture_output=True, text=True).stdout
    browsers = [line for line in left.splitlines() if line.startswith("/usr/lib/chromium")]
    station.terminate()
    station.wait(20)
    print(f"the {'station' if own else 'stand-in'}'s page is on a {width}x{height} screen after {shown:.1f} s"
          f", {len(browsers)} browser processes left after the stop")
    return 0


sys.exit(main())
