"""Faults at random, against a running station: fault_campaign.py [--seconds N] [--seed N] [--keep]

A guest takes photos while stored state is damaged, clients send nonsense, configurations that are
refused are loaded, the program is killed, the disk fills up and a stick stops answering. After each
fault three things must hold: the station has not ended by itself, it answers within the stated
limit, and every photo that it reported as saved is there, byte for byte.

The seed decides the order of the faults. The last line says how often each was tried.
"""

import argparse
import collections
import faulthandler
import hashlib
import http.client
import json
import os
import pathlib
import random
import shutil
import signal
import socket
import sqlite3
import stat
import subprocess
import sys
import tempfile
import time

from station import RETAKE

# The stated limits, in seconds. A machine that is busy gets their double.
ANSWER_LIMIT = 20
START_LIMIT = 90
STOP_LIMIT = 30
SESSION_LIMIT = 60
COMMAND_LIMIT = 60
# The maximum number of bytes that `retake photos` may print for this small library.
OUTPUT_LIMIT = 4 << 20

STATE_FILES = [".retake.catalog", ".retake.catalog-wal", ".retake.catalog-shm", ".retake.journal",
               ".retake.album", ".retake.booth.sequence", ".retake.lock"]

CONFIGURATIONS = [
    b"album = \"M\xfcller\"\n", b"\xff\xfe[\x00l\x00", b"[library]\nalbum = \"a\x00b\"\n",
    b"a" + b".a" * 100_000 + b" = 1\n", b"x = " + b"[" * 100_000, b"[" * 100_000,
    b"[library]\nkeep-days = 99999999999999999999\n", b"[library]\npath = \"\"\n",
    b"[countdown]\nseconds = nan\n", b"[web]\nlisten = \"[::::]:99999\"\n", b"\xef\xbb\xbf[library\n",
    b"[review]\ntimeout = -1\n", b"=" * 5000, b"\"\\uD800\" = 1\n", b"#" + b"x" * (8 << 20),
]


class Broken(Exception):
    """A promise that did not hold."""


class Campaign:
    def __init__(self, seed, slow):
        self.random = random.Random(seed)
        self.slow = slow
        self.dir = tempfile.mkdtemp(prefix="retake-faults-")
        self.library = os.path.join(self.dir, "photos")
        self.target = os.path.join(self.dir, "copies")
        self.pictures = os.path.join(self.dir, "pictures")
        self.socket = os.path.join(self.dir, "socket")
        self.config = os.path.join(self.dir, "retake.toml")
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        for folder in (self.library, self.target, self.pictures):
            os.makedirs(folder)
        self.saved = {}
        self.tried = collections.Counter()
        self.worst = collections.Counter()
        self.process = None
        self.held = []
        self.write_configuration()

    # The station

    def write_configuration(self, data=None):
        if data is None:
            data = f"""
[countdown]
seconds = 0
[review]
timeout = 60
[library]
path = "{self.library}"
allow-volatile = true
reserve = "0 MB"
roots = ["{self.pictures}"]
[copy]
to = ["{self.target}"]
[socket]
path = "{self.socket}"
[web]
listen = "127.0.0.1:{self.port}"
""".encode()
        with open(self.config, "wb") as file:
            file.write(data)

    def start(self):
        began = time.monotonic()
        self.output = open(os.path.join(self.dir, "log"), "ab")
        self.process = subprocess.Popen(
            [RETAKE, "run", "--config", self.config, "--camera", "demo", "--log", "info"],
            stdin=subprocess.DEVNULL, stdout=self.output, stderr=self.output)
        self.until(lambda: self.state(quiet=True)["camera"]["state"] == "streaming", START_LIMIT,
                   "the station did not start")
        self.slowest("start", time.monotonic() - began)

    def stop(self):
        began = time.monotonic()
        self.process.send_signal(signal.SIGTERM)
        try:
            code = self.process.wait(STOP_LIMIT * self.slow)
        except subprocess.TimeoutExpired:
            raise Broken(f"the station did not stop within {STOP_LIMIT * self.slow} s")
        if code not in (0, -signal.SIGTERM):
            raise Broken(f"the station stopped with {code}")
        self.slowest("stop", time.monotonic() - began)
        self.process = None
        self.output.close()

    def kill(self):
        self.process.kill()
        self.process.wait()
        self.process = None
        self.output.close()

    def alive(self):
        if self.process is not None and self.process.poll() is not None:
            raise Broken(f"the station ended by itself with {self.process.returncode}")

    def slowest(self, what, seconds):
        self.worst[what] = max(self.worst[what], round(seconds, 2))

    def until(self, condition, limit, what):
        end = time.monotonic() + limit * self.slow
        while time.monotonic() < end:
            self.alive()
            try:
                value = condition()
            except (OSError, http.client.HTTPException, KeyError, TypeError, ValueError):
                value = None
            if value:
                return value
            time.sleep(0.02)
        raise Broken(f"{what} within {limit * self.slow} s")

    def ask(self, method, target, body=None):
        connection = http.client.HTTPConnection(
            "127.0.0.1", self.port, timeout=ANSWER_LIMIT * self.slow)
        began = time.monotonic()
        try:
            headers = {"Content-Type": "application/json"} if body is not None else {}
            connection.request(method, target, body, headers)
            answer = connection.getresponse()
            data = answer.read()
        except TimeoutError:
            raise Broken(f"{method} {target} had no answer within {ANSWER_LIMIT * self.slow} s")
        finally:
            connection.close()
        self.slowest("answer", time.monotonic() - began)
        return answer.status, data

    def state(self, quiet=False):
        status, data = self.ask("GET", "/api/v1/state")
        if status != 200 and not quiet:
            raise Broken(f"the state's status is {status}")
        return json.loads(data)

    def command(self, *words, limit=COMMAND_LIMIT):
        """Runs a command beside the station; it must end by itself, in time and with little output."""
        began = time.monotonic()
        with tempfile.TemporaryFile() as output:
            process = subprocess.Popen([RETAKE, *words], stdin=subprocess.DEVNULL, stdout=output,
                                       stderr=subprocess.STDOUT)
            try:
                code = process.wait(limit * self.slow)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
                raise Broken(f"retake {' '.join(words)} did not end within {limit * self.slow} s")
            output.seek(0, os.SEEK_END)
            size = output.tell()
            output.seek(0)
            text = output.read(OUTPUT_LIMIT).decode(errors="replace")
        if code < 0 or code > 64:
            raise Broken(f"retake {' '.join(words)} ended with {code}: {text[-600:]}")
        if size > OUTPUT_LIMIT:
            raise Broken(f"retake {' '.join(words)} printed {size} bytes")
        self.slowest("command", time.monotonic() - began)
        return code, text

    # The guest

    def idle(self):
        """Ends whatever a fault left on the screen."""
        def settled():
            now = self.state()["state"]
            if now == "idle":
                return True
            if now != "saving":
                self.ask("POST", "/api/v1/cancel", b"{}")
            return False
        self.until(settled, SESSION_LIMIT, "the station did not come back to idle")

    def take(self, answer="accept", seconds=0.0):
        """Runs one session; returns False if the station refused it with a message."""
        self.idle()
        status, data = self.ask("POST", "/api/v1/shutter", b"{}")
        if status != 200:
            return False
        began = time.monotonic()

        def decided():
            now = self.state()
            return now if now["state"] not in ("live", "countdown", "capturing") else None
        now = self.until(decided, SESSION_LIMIT, "the photo was not taken")
        if now["state"] != "reviewing":
            return False
        if seconds:
            time.sleep(seconds)
        before = (now.get("lastPhoto") or {}).get("path")
        # The first moment of a review takes no answer.
        def answered():
            status, _ = self.ask("POST", f"/api/v1/{answer}", b"{}")
            return status == 200 or self.state()["state"] != "reviewing"
        self.until(answered, SESSION_LIMIT, f"{answer} was not taken")
        if answer != "accept":
            return True
        now = self.until(lambda: (lambda s: s if s["state"] not in ("saving", "reviewing") else None)(
            self.state()), SESSION_LIMIT, "saving did not end")
        self.slowest("session", time.monotonic() - began)
        photo = (now.get("lastPhoto") or {}).get("path")
        if now["state"] == "finished" and photo and photo != before:
            with open(photo, "rb") as file:
                self.saved[photo] = hashlib.sha256(file.read()).hexdigest()
            return True
        return False

    # The promise

    def check(self):
        self.alive()
        for photo, digest in self.saved.items():
            try:
                with open(photo, "rb") as file:
                    found = hashlib.sha256(file.read()).hexdigest()
            except OSError as error:
                raise Broken(f"a saved photo is lost: {photo}: {error}")
            if found != digest:
                raise Broken(f"a saved photo has changed: {photo}")

    # The faults

    def fault_guest(self):
        self.take("accept")

    def fault_guest_retakes(self):
        self.take(self.random.choice(["cancel", "retake"]))

    def fault_kill(self):
        if self.random.random() < 0.5:
            self.take(self.random.choice(["accept", "cancel"]), self.random.random() / 4)
        else:
            try:
                self.idle()
                self.ask("POST", "/api/v1/shutter", b"{}")
            except (OSError, http.client.HTTPException):
                pass
            time.sleep(self.random.random() / 2)
        self.kill()
        self.start()

    def fault_restart(self):
        self.stop()
        self.start()

    def fault_state_at_rest(self):
        self.stop()
        for _ in range(self.random.randint(1, 3)):
            self.damage(self.random.choice(STATE_FILES))
        self.start()
        self.clean()

    def fault_state_in_use(self):
        self.damage(self.random.choice(STATE_FILES[:6]))
        self.take()
        self.clean()

    def damage(self, name):
        path = os.path.join(self.library, name)
        kind = self.random.choice(["flip", "flip", "cut", "noise", "gone", "swap", "fifo", "folder",
                                   "link"])
        is_file = os.path.isfile(path) and not os.path.islink(path)
        data = b""
        if is_file:
            with open(path, "rb") as file:
                data = file.read()
        if kind == "flip" and data:
            changed = bytearray(data)
            for _ in range(self.random.randint(1, 20)):
                changed[self.random.randrange(len(changed))] ^= 1 << self.random.randrange(8)
            self.overwrite(path, bytes(changed))
        elif kind == "cut" and data:
            os.truncate(path, self.random.randrange(len(data)))
        elif kind == "noise":
            self.overwrite(path, self.random.randbytes(self.random.randint(0, 8192)))
        elif kind == "swap":
            other = os.path.join(self.library, self.random.choice(STATE_FILES))
            if other != path and is_file and os.path.isfile(other):
                with open(other, "rb") as file:
                    self.overwrite(path, file.read())
        else:
            # A running station has these open, and links of SQLite's are its own business then.
            if os.path.isdir(path) and not os.path.islink(path):
                shutil.rmtree(path)
            elif os.path.lexists(path):
                os.unlink(path)
            if kind == "fifo":
                os.mkfifo(path)
            elif kind == "folder":
                os.makedirs(path + "/x")
            elif kind == "link":
                os.symlink(os.path.join(self.dir, "elsewhere"), path)

    def overwrite(self, path, data):
        if os.path.isdir(path) and not os.path.islink(path):
            shutil.rmtree(path)
        elif os.path.lexists(path) and not stat.S_ISREG(os.lstat(path).st_mode):
            os.unlink(path)
        with open(path, "wb") as file:
            file.write(data)

    def clean(self):
        """Removes foreign objects in the places of state files, as an operator would."""
        if os.path.lexists(os.path.join(self.dir, "elsewhere")):
            raise Broken("a link was followed out of the library")
        for name in STATE_FILES:
            path = os.path.join(self.library, name)
            if os.path.lexists(path) and not stat.S_ISREG(os.lstat(path).st_mode):
                if stat.S_ISDIR(os.lstat(path).st_mode):
                    shutil.rmtree(path)
                else:
                    os.unlink(path)

    def fault_rows(self):
        path = os.path.join(self.library, ".retake.catalog")
        values = [-9223372036854775807, 9223372036854775807, -1, 0, "x", "../../etc/passwd", "a/b", "",
                  "\x1b[2J", b"\x00\xff", None, 1e308, "IMG_99999999.jpg", "IMG_00000001.jpg", "booth",
                  ".retake.catalog"]
        # SQLite maps the index that another fault may have cut: its SIGBUS ends a child.
        child = os.fork()
        if child == 0:
            try:
                self.change_rows(path, values)
            finally:
                os._exit(0)
        os.waitpid(child, 0)
        self.fault_command()
        if self.random.random() < 0.5:
            self.fault_restart()

    def change_rows(self, path, values):
        try:
            with sqlite3.connect(path, timeout=2) as base:
                tables = [row[0] for row in base.execute(
                    "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'")]
                for _ in range(self.random.randint(1, 4) if tables else 0):
                    table = self.random.choice(tables)
                    columns = [row[1] for row in base.execute(f"PRAGMA table_info({table})")]
                    column = self.random.choice(columns)
                    try:
                        if self.random.random() < 0.7:
                            base.execute(
                                f"UPDATE OR REPLACE {table} SET {column} = ? WHERE rowid = (SELECT rowid "
                                f"FROM {table} ORDER BY random() LIMIT 1)"
                                if table == "photo" else f"UPDATE OR REPLACE {table} SET {column} = ?",
                                (self.random.choice(values),))
                        else:
                            marks = ", ".join("?" for _ in columns)
                            base.execute(f"INSERT OR REPLACE INTO {table} VALUES ({marks})",
                                         [self.random.choice(values) for _ in columns])
                    except (sqlite3.Error, OverflowError):
                        pass
        except sqlite3.Error:
            pass

    def fault_journal(self):
        lines = [b'{"t":9e999}\n', b"\x00" * 4096, b"9" * 10_000 + b"\n", b"{" * 5000 + b"\n"]
        path = os.path.join(self.library, ".retake.journal")
        if os.path.isfile(path):
            with open(path, "ab") as file:
                file.write(self.random.choice(lines))
        self.command("photos", "stats", "--config", self.config)

    def fault_command(self):
        words = self.random.choice([
            ["list"], ["list", "--json"], ["show", "1"], ["verify"], ["stats"], ["rebuild"], ["album"],
            ["export", os.path.join(self.dir, f"export-{self.random.randrange(1 << 30)}")]])
        self.command("photos", *words, "--config", self.config)

    def fault_configuration(self):
        self.write_configuration(self.random.choice(CONFIGURATIONS))
        self.process.send_signal(signal.SIGHUP)
        self.command("trigger", "reload", "--socket", self.socket)
        self.command("config", "--config", self.config)
        self.state()
        self.write_configuration()
        self.command("trigger", "reload", "--socket", self.socket)

    def fault_clients(self):
        """Connections that send nonsense, drip, or send nothing; some stay."""
        for _ in range(self.random.randint(1, 20)):
            try:
                client = socket.create_connection(("127.0.0.1", self.port), timeout=5)
                client.sendall(self.random.choice([
                    b"", b"GET / HT", self.random.randbytes(300), b"GET /preview.mjpg HTTP/1.1\r\nHost: localhost\r\n\r\n",
                    b"POST /api/v1/accept HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999999999\r\n\r\n",
                    b"GET /api/v1/events HTTP/1.1\r\nHost: localhost\r\n\r\n", b"\r\n" * 500]))
                self.held.append(client)
            except OSError:
                pass
        while len(self.held) > 60:
            self.held.pop(0).close()
        for client in self.held[-8:]:
            try:
                client.sendall(b"X")
            except OSError:
                pass

    def fault_socket(self):
        try:
            client = socket.socket(socket.AF_UNIX)
            client.settimeout(5)
            client.connect(self.socket)
            client.sendall(self.random.choice([
                b"", b"sta", self.random.randbytes(200), b"a" * 100_000, b"status\n" * 200]))
            self.held.append(client)
        except OSError:
            pass

    def fault_stick(self):
        """Puts an object on the stick that is not one of our copies."""
        os.makedirs(os.path.join(self.target, "booth"), exist_ok=True)
        name = self.random.choice([".retake-copies", "booth/IMG_00000001.jpg", "booth/x.part",
                                   "booth/IMG_00000099.jpg"])
        path = os.path.join(self.target, name)
        while os.path.isdir(path) and not os.path.islink(path):
            shutil.rmtree(path, ignore_errors=True)
        if os.path.lexists(path):
            os.unlink(path)
        kind = self.random.choice(["fifo", "folder", "link", "noise", "gone", "album"])
        try:
            self.put_on_stick(kind, path)
        except FileExistsError:
            pass  # The copier was there first.
        self.take()
        if os.path.islink(self.target + "/booth"):
            os.unlink(self.target + "/booth")

    def put_on_stick(self, kind, path):
        if kind == "fifo":
            os.mkfifo(path)
        elif kind == "folder":
            os.makedirs(path)
        elif kind == "link":
            os.symlink(self.random.choice([self.library + "/booth/IMG_00000001.jpg", "/dev/zero",
                                           self.library]), path)
        elif kind == "noise":
            with open(path, "wb") as file:
                file.write(self.random.randbytes(5000))
        elif kind == "album":
            # The copier may make the album again meanwhile.
            for _ in range(1000):
                shutil.rmtree(self.target + "/booth", ignore_errors=True)
                try:
                    os.symlink(self.library + "/booth", self.target + "/booth")
                    break
                except FileExistsError:
                    continue

    def fault_pictures(self):
        """Puts objects that are not pictures into a root of guests' pictures; a guest looks and chooses."""
        path = os.path.join(self.pictures, f"p{self.random.randrange(20)}.jpg")
        if os.path.lexists(path):
            os.unlink(path)
        kind = self.random.choice(["fifo", "link", "noise", "cut"])
        if kind == "fifo":
            os.mkfifo(path)
        elif kind == "link":
            os.symlink("/dev/zero", path)
        elif kind == "noise":
            with open(path, "wb") as file:
                file.write(b"\xff\xd8\xff" + self.random.randbytes(9000))
        elif self.saved:
            with open(self.random.choice(list(self.saved)), "rb") as file:
                data = file.read()
            with open(path, "wb") as file:
                file.write(data[:self.random.randrange(len(data))])
        self.idle()
        self.ask("POST", "/api/v1/begin", b'{"source": "photoLibrary"}')
        status, data = self.ask("GET", "/api/v1/photos?limit=30")
        if status == 200:
            for photo in json.loads(data)["photos"][:4]:
                name = photo["id"].replace("/", "%2F")
                self.ask("GET", f"/api/v1/photos/{name}/thumbnail.jpg")
                self.ask("POST", "/api/v1/select", json.dumps({"item": photo["id"]}).encode())
            self.ask("POST", "/api/v1/accept", b"{}")
        self.idle()

    def run(self, seconds):
        began = last = time.monotonic()
        self.start()
        faults = sorted(name for name in dir(self) if name.startswith("fault_"))
        # Each once, in the seed's order; then whatever comes.
        order = faults[:]
        self.random.shuffle(order)
        while order or time.monotonic() - began < seconds:
            fault = order.pop() if order else self.random.choice(faults)
            if time.monotonic() - began > max(seconds, 1) * 4:
                break
            self.tried[fault.removeprefix("fault_")] += 1
            self.last = fault
            try:
                getattr(self, fault)()
            except (http.client.HTTPException, ConnectionError) as error:
                self.alive()
                raise Broken(f"after {fault} the station did not answer: {error!r}")
            self.check()
            if time.monotonic() - last > 60:
                last = time.monotonic()
                print(f"{round(last - began)} s: {sum(self.tried.values())} faults, "
                      f"{len(self.saved)} photos saved, none lost", flush=True)
        # At the end a guest takes a photo as on any day.
        self.clean()
        self.until(lambda: self.take(), SESSION_LIMIT, "no photo could be taken at the end")
        self.check()
        self.stop()
        self.command("photos", "rebuild", "--config", self.config)
        self.check()

    def end(self, keep):
        if self.process is not None and self.process.poll() is None:
            self.kill()
        for client in self.held:
            client.close()
        if not keep:
            shutil.rmtree(self.dir, ignore_errors=True)


def campaign(seconds, seed, slow=2, keep=False):
    """Runs one campaign and returns it; raises Broken with the seed where a promise did not hold."""
    trial = Campaign(seed, slow)
    try:
        trial.run(seconds)
    except Broken as broken:
        log = pathlib.Path(trial.dir, "log").read_text(errors="replace")[-3000:]
        trial.end(keep)
        raise Broken(f"{broken} (seed {seed}, after {trial.last}, {dict(trial.tried)})\n{log}") from None
    except BaseException:
        trial.end(keep)
        raise
    trial.end(keep)
    return trial


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--seconds", type=float, default=1800)
    options.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1 << 32))
    options.add_argument("--keep", action="store_true", help="keeps the folder")
    options.add_argument("--slow", type=float, default=2, help="what the limits are multiplied with")
    given = options.parse_args()
    print(f"seed {given.seed}", flush=True)
    try:
        trial = campaign(given.seconds, given.seed, given.slow, given.keep)
    except Broken as broken:
        print(f"FAILED: {broken}")
        return 1
    print(f"{sum(trial.tried.values())} faults, {len(trial.saved)} photos saved, none lost; "
          f"tried {dict(sorted(trial.tried.items()))}; slowest, in seconds: {dict(trial.worst)}")
    return 0


if __name__ == "__main__":
    faulthandler.enable()
    sys.exit(main())
