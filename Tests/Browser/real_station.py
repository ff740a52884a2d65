"""The program itself with the demo camera, started and stopped as systemd would."""

import json
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import tempfile
import time
import urllib.error
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parents[2]
PATIENCE = float(os.environ.get("RETAKE_TEST_PATIENCE") or 1)
RETAKE = os.environ.get("RETAKE") or str(ROOT / ".build/release/retake")


class RealStation:
    """One station with a configuration, a library and a port of its own."""

    def __init__(self, camera="demo", countdown=1, review=20, at_end="cancel", web="", more="",
                 library=None, reserve=None, page=ROOT / "Sources/KioskServer/Page", sticks=()):
        self.dir = tempfile.mkdtemp(prefix="retake-browser-")
        self.library = library or os.path.join(self.dir, "photos")
        self.socket = os.path.join(self.dir, "socket")
        self.config = os.path.join(self.dir, "retake.toml")
        self.process = None
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.values = {"camera": camera, "countdown": countdown, "review": review,
                       "at_end": at_end, "web": web, "more": more, "reserve": reserve,
                       "page": page, "sticks": list(sticks)}
        self.write()

    def write(self, **changes):
        """Writes the configuration. The page is this checkout's: a test of it needs no build.

        Without `page` it is the one inside of the program.
        """
        values = self.values = {**self.values, **changes}
        directory = f'directory = "{values["page"]}"' if values["page"] else ""
        reserve = f'reserve = "{values["reserve"]}"' if values["reserve"] else ""
        with open(self.config, "w") as file:
            file.write(f"""
[camera]
device = "{values["camera"]}"
fallback = []
[countdown]
seconds = {values["countdown"]}
[review]
timeout = {values["review"]}
at-end = "{values["at_end"]}"
[library]
path = "{self.library}"
allow-volatile = true
{reserve}
roots = {json.dumps(values["sticks"])}
[socket]
path = "{self.socket}"
[web]
listen = "127.0.0.1:{self.port}"
{directory}
{values["web"]}
{values["more"]}
""")

    def reload(self, **changes):
        """As `systemctl reload` does."""
        self.write(**changes)
        self.process.send_signal(signal.SIGHUP)

    @property
    def url(self):
        return f"http://127.0.0.1:{self.port}/"

    def start(self, wait=True):
        with open(os.path.join(self.dir, "log"), "a") as log:
            self.process = subprocess.Popen(
                [RETAKE, "run", "--config", self.config, "--log", "info"],
                stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        if wait:
            self.wait_for(lambda state: state["state"] == "idle", "the station")
        return self

    def stop(self, sign=signal.SIGTERM):
        process, self.process = self.process, None
        if process:
            process.send_signal(sign)
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()

    def kill(self):
        self.stop(signal.SIGKILL)

    def close(self):
        self.stop()
        shutil.rmtree(self.dir, ignore_errors=True)

    def log(self):
        return pathlib.Path(self.dir, "log").read_text()

    def get(self, path):
        with urllib.request.urlopen(self.url + path.lstrip("/"), timeout=5) as answer:
            return answer.read()

    def state(self):
        return json.loads(self.get("/api/v1/state"))

    def post(self, command, body=None):
        data = json.dumps(body).encode() if body is not None else b""
        headers = {"Content-Type": "application/json"} if body is not None else {}
        request = urllib.request.Request(f"{self.url}api/v1/{command}", data=data, headers=headers)
        try:
            with urllib.request.urlopen(request, timeout=5) as answer:
                text = answer.read()
                return json.loads(text) if text else None
        except urllib.error.HTTPError as error:
            return json.loads(error.read() or b"null")

    def wait_for(self, condition, what, seconds=20.0):
        end, last = time.monotonic() + seconds * PATIENCE, None
        while time.monotonic() < end:
            if self.process and self.process.poll() is not None:
                raise AssertionError(f"the station ended: {self.log()}")
            try:
                last = self.state()
                if condition(last):
                    return last
            except (OSError, ValueError):
                pass
            time.sleep(0.05)
        raise AssertionError(f"{what}: not within {seconds} s; last {last}\n{self.log()}")

    def take(self, count=1):
        """Takes photos without the page."""
        for _ in range(count):
            self.wait_for(lambda state: state["state"] in ("idle", "finished"), "idle")
            self.post("shutter")
            self.wait_for(lambda state: state["state"] == "reviewing", "a review")
            time.sleep(0.85)
            self.post("accept")
            self.wait_for(lambda state: state["state"] == "finished", "saved")
        self.post("cancel")

    def photos(self):
        return json.loads(self.get("/api/v1/photos?limit=50"))["photos"]
