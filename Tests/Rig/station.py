"""A running `retake run`, for tests and measurements: its lines, its socket, its process.

Standard library only.
"""

import json
import os
import signal
import socket
import subprocess
import threading
import time


class Station:
    """A running station, with the lines that it logs and when they came."""

    def __init__(self, retake, camera, directory, library, size=None, source_log=None,
                 countdown=0, frame_log=None, extra=""):
        self.socket = os.path.join(directory, "socket")
        config = os.path.join(directory, "retake.toml")
        with open(config, "w") as file:
            file.write(f"""
[countdown]
seconds = {countdown}
[review]
timeout = 60
[library]
path = "{library}"
allow-volatile = true
[socket]
path = "{self.socket}"
[camera]
device = "{camera}"
fallback = []
""" + (f'size = "{size}"\n' if size else "") + extra
                       + ("" if "[web]" in extra else '\n[web]\nlisten = ""\n'))
        arguments = [retake, "run", "--config", config, "--log", "info"]
        if source_log:
            arguments += ["--source-log", source_log]
        if frame_log:
            arguments += ["--frame-log", frame_log]
        self.started = time.monotonic()
        self.process = subprocess.Popen(
            arguments, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
            text=True)
        self.lines = []
        self.condition = threading.Condition()
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        for line in self.process.stderr:
            with self.condition:
                self.lines.append((time.monotonic(), line.rstrip()))
                self.condition.notify_all()

    def wait_line(self, text, after=0, seconds=60):
        """When the first line with `text` came, looked for from index `after`, and its index."""
        end = time.monotonic() + seconds
        with self.condition:
            while True:
                for index in range(after, len(self.lines)):
                    if text in self.lines[index][1]:
                        return self.lines[index][0], index
                if not self.condition.wait(max(0, end - time.monotonic())) or \
                        time.monotonic() > end:
                    raise SystemExit("no line with '%s': %s" % (text, self.lines[-5:]))

    def connect(self, seconds=60):
        """A connection to the socket, which a starting station may not have made yet."""
        end = time.monotonic() + seconds
        while True:
            client = socket.socket(socket.AF_UNIX)
            try:
                client.connect(self.socket)
                return client
            except (FileNotFoundError, ConnectionRefusedError):
                client.close()
                if time.monotonic() > end or self.process.poll() is not None:
                    raise
                time.sleep(0.05)

    def ask(self, action):
        """Whether it was accepted, and the words."""
        client = self.connect()
        client.sendall(action.encode() + b"\n")
        data = b""
        while chunk := client.recv(65536):
            data += chunk
        client.close()
        word, _, text = data.decode().strip().partition(" ")
        return word == "ok", text

    def status(self):
        return json.loads(self.ask("status")[1])

    def wait_status(self, what, condition, seconds=60):
        """The first status for which `condition` holds."""
        end = time.monotonic() + seconds
        while True:
            if condition(status := self.status()):
                return status
            if time.monotonic() > end:
                raise SystemExit(f"waited {seconds} s for {what}: {status}")
            time.sleep(0.005)

    def wait_state(self, *states, seconds=60):
        return self.wait_status(
            " or ".join(states), lambda status: status["state"] in states, seconds)

    def wait_camera(self, *states, seconds=60):
        return self.wait_status(
            "the camera to be " + " or ".join(states),
            lambda status: status["camera"]["state"] in states, seconds)

    def field(self, name):
        """A field of /proc/PID/status, its first word: RssAnon and VmRSS are in kilobytes."""
        with open(f"/proc/{self.process.pid}/status") as file:
            return next(line.split()[1] for line in file if line.startswith(name + ":"))

    def anonymous_kilobytes(self):
        return int(self.field("RssAnon"))

    def descriptors(self):
        return len(os.listdir(f"/proc/{self.process.pid}/fd"))

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait()
