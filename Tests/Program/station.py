"""Runs the program as a user does, for the tests beside this file. Standard library only."""

import json
import os
import pathlib
import pty
import select
import shutil
import signal
import subprocess
import tempfile
import time
import unittest

RETAKE = os.environ.get("RETAKE") or str(
    pathlib.Path(__file__).resolve().parents[2] / ".build/release/retake")


# How long anything is waited for: it only ends a test that has failed already. A machine that is busy
# with something else may take many times what it usually does.
PATIENCE = 120.0


def wait_until(condition, what, seconds=PATIENCE):
    """Polls for a condition."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        value = condition()
        if value:
            return value
        time.sleep(0.02)
    raise AssertionError(f"{what} did not happen within {seconds} s")


def settle(path):
    """Dates a file an hour back, so that it does not look as if it were still being copied."""
    then = time.time() - 3600
    os.utime(path, (then, then))


class StationCase(unittest.TestCase):
    """A directory of its own, and the configuration of a station in it."""

    def setUp(self):
        self.dir = tempfile.mkdtemp(prefix="retake-test-")
        self.addCleanup(shutil.rmtree, self.dir, ignore_errors=True)
        self.library = os.path.join(self.dir, "photos")
        self.socket = os.path.join(self.dir, "socket")
        self.config = self.write_config()

    def write_config(self, countdown=0, review=20, at_end="cancel", more="", library=None):
        path = os.path.join(self.dir, "retake.toml")
        with open(path, "w") as file:
            file.write(f"""
[countdown]
seconds = {countdown}
[review]
timeout = {review}
at-end = "{at_end}"
[library]
path = "{library or self.library}"
allow-volatile = true
[socket]
path = "{self.socket}"
{'' if '[web]' in more else '[web]'}
{'' if '[web]' in more else 'listen = ""'}
{more}
""")
        return path

    def run_retake(self, *arguments, **options):
        options.setdefault("timeout", PATIENCE)
        return subprocess.run(
            [RETAKE, *arguments], capture_output=True, text=True, **options)

    def start(self, *arguments, **options):
        """Starts a station that is ended with the test, and waits until it takes photos."""
        log = open(os.path.join(self.dir, "log"), "w")
        process = subprocess.Popen(
            [RETAKE, "run", "--config", self.config, "--camera", "demo", "--log", "info",
             *arguments], stdin=subprocess.DEVNULL, stdout=log, stderr=log, **options)
        self.addCleanup(log.close)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        self.wait_for_state("idle", process)
        return process

    def log(self):
        with open(os.path.join(self.dir, "log")) as file:
            return file.read()

    def status(self):
        """Returns the station's status, or None while it does not answer."""
        result = self.run_retake("trigger", "status", "--json", "--socket", self.socket)
        return json.loads(result.stdout) if result.returncode == 0 else None

    def trigger(self, action):
        result = self.run_retake("trigger", action, "--socket", self.socket)
        return result.returncode, (result.stdout + result.stderr).strip()

    def wait_for_state(self, state, process=None, seconds=PATIENCE):
        def reached():
            if process is not None and process.poll() is not None:
                raise AssertionError(f"the station ended with {process.returncode}: {self.log()}")
            status = self.status()
            return status if status and status["state"] == state else None
        return wait_until(reached, f"the state {state}", seconds)

    def photos(self):
        """Every picture below the library, whatever its name."""
        return sorted(str(path) for path in pathlib.Path(self.dir).rglob("*")
                      if path.is_file() and (path.suffix.lower() in (".jpg", ".jpeg")
                                             or self.is_jpeg(path)))

    @staticmethod
    def is_jpeg(path):
        """Whether it is a picture; a file of the catalog may go while it is looked at."""
        try:
            with open(path, "rb") as file:
                return file.read(2) == b"\xff\xd8"
        except FileNotFoundError:
            return False

    def assert_upright_portrait(self, path):
        """Portrait by its own header, EXIF orientation 1, and decoded without a warning."""
        decoded = subprocess.run(["djpeg", "-pnm", path], capture_output=True)
        self.assertEqual((decoded.returncode, decoded.stderr), (0, b""), path)
        width, height = map(int, decoded.stdout.split(b"\n", 2)[1].split())
        self.assertLess(width, height)
        shown = subprocess.run(
            ["exiv2", "-K", "Exif.Image.Orientation", "-Pv", path], capture_output=True, text=True)
        self.assertEqual(shown.stdout.strip(), "1")
        return width, height, decoded.stdout.split(b"\n", 3)[3]

    def number_in(self, path):
        """The frame's number, read from the twelve cells along the top of a 540x720 still."""
        width, height, pixels = self.assert_upright_portrait(path)
        number = 0
        for cell in range(12):
            x = width // 2 - 6 * 32 + cell * 32 + 16
            offset = (16 * width + x) * 3
            number = number * 2 + (1 if pixels[offset] > 128 else 0)
        return number


class Terminal:
    """A station in a terminal of its own."""

    def __init__(self, *arguments):
        self.output = b""
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            try:
                os.execv(RETAKE, [RETAKE, *arguments])
            finally:
                os._exit(127)

    def press(self, key):
        os.write(self.fd, key.encode())

    def read_until(self, text, seconds=PATIENCE):
        end = time.monotonic() + seconds
        while text.encode() not in self.output:
            left = end - time.monotonic()
            if left <= 0 or not select.select([self.fd], [], [], left)[0]:
                raise AssertionError(f"'{text}' did not appear in {self.output.decode()!r}")
            try:
                data = os.read(self.fd, 65536)
            except OSError:
                data = b""
            if not data:
                raise AssertionError(f"it ended before '{text}': {self.output.decode()!r}")
            self.output += data
        seen, self.output = self.output.split(text.encode(), 1)
        return seen.decode(errors="replace")

    def wait(self):
        """Reads to the end and gives the exit status."""
        while True:
            try:
                if not os.read(self.fd, 65536):
                    break
            except OSError:
                break
        return os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])

    def close(self):
        try:
            os.kill(self.pid, signal.SIGKILL)
            os.waitpid(self.pid, 0)
        except (ProcessLookupError, ChildProcessError):
            pass
        os.close(self.fd)
