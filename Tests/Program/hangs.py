"""Tests of a station while a disk hangs, with one call on one kind of disk at a time.

`test_hangs.py` runs a few of the combinations, `scripts/campaigns/hangs` all of them.
"""

import json
import os
import signal
import subprocess
import time

from hanging_disk import NAMES, HangingDisk
from station import RETAKE, settle
from test_web import WebCase, wait_until

# The configured time in seconds for one call to a disk. The limits below follow from it, with room
# for a machine that is busy.
PATIENCE = 1
# An answer that waits for a disk: five times the patience in all.
ANSWER = 20
# `Station.stopLimit`, and what the program needs besides.
STOP = 30
# The time in seconds that a test waits for a disk to be named, for a check of it and the patience.
NAMED = 40

MEDIA = ["root", "copy", "page", "library", "export"]


class HangCase(WebCase):
    """A station with a disk that hangs: as a guest's stick, for copies, the page, or the library."""

    def disk(self, medium):
        disk = self.hanging = HangingDisk(
            os.path.join(self.dir, "disk"), os.path.join(self.dir, "files"))
        self.addCleanup(disk.close)
        with open(os.path.join(disk.files, "a.jpg"), "wb") as file:
            file.write(self.picture())
        settle(os.path.join(disk.files, "a.jpg"))
        with open(os.path.join(disk.files, "index.html"), "w") as file:
            file.write("own page")
        place = json.dumps(disk.path)
        library = f"{disk.path}/photos" if medium == "library" else self.library
        more = f'[copy]\nto = [{place}]\n' if medium == "copy" else ""
        web = f"directory = {place}" if medium == "page" else ""
        self.configure(web=web + "\n" + more, library=library)
        with open(self.config) as file:
            text = file.read()
        keys = f"patience = {PATIENCE}"
        if medium == "root":
            keys += f"\nroots = [{place}]"
        with open(self.config, "w") as file:
            file.write(text.replace("[library]", f"[library]\n{keys}", 1))
        return disk

    def picture(self):
        with open(os.path.join(os.path.dirname(__file__), "../Data/720p-420-4.mjpeg"), "rb") as file:
            frames = file.read()
        return frames[:frames.index(b"\xff\xd9") + 2]

    # Functions that must work while any disk hangs

    def log(self):
        return super().log() if os.path.exists(os.path.join(self.dir, "log")) else ""

    def within(self, seconds, what, body):
        begin = time.monotonic()
        result = body()
        took = time.monotonic() - begin
        self.assertLess(took, seconds, f"{what} took {took:.1f} s: {self.log()}")
        return result

    def take_photo(self):
        """Takes one photo by the trigger and returns its path."""
        self.assertEqual(self.trigger("shutter")[0], 0, self.log())
        self.wait_for_state("reviewing")
        wait_until(lambda: self.trigger("accept")[0] == 0, "the accept", ANSWER)
        path = wait_until(
            lambda: (self.status() or {}).get("state") == "finished"
            and self.status()["lastPhoto"]["path"], "the save", ANSWER)
        self.assertTrue(self.is_jpeg(path))
        self.trigger("cancel")
        self.wait_for_state("idle")
        return path

    def wait_until_named(self, disk):
        """Status and operator's view name the disk that hangs."""
        def named():
            status = self.status()
            return status and any(
                disk.path in silent["path"] for silent in status["silentDisks"]) and status
        status = wait_until(named, f"the name of the disk: {disk.held}, {self.log()}", NAMED)
        if self.port:
            health = json.loads(self.ask("GET", "/api/v1/health")[2])
            self.assertTrue(
                [check for check in health["checks"]
                 if not check["ok"] and disk.path in check["detail"]], health["checks"])
        return status

    def ends(self, process, number=signal.SIGTERM, seconds=STOP):
        """The program ends by itself after the signal, in time.

        The kernel lets go of a process that has ended once the files that it had open are closed,
        which waits for the disk: the disk is let answer then.
        """
        process.send_signal(number)
        begin = time.monotonic()
        while process.poll() is None and not self.has_ended(process.pid):
            if time.monotonic() - begin > seconds:
                self.fail(f"it did not end within {seconds} s: {self.log()}")
            time.sleep(0.02)
        took = time.monotonic() - begin
        self.hanging.heal()
        return process.wait(ANSWER), took

    @staticmethod
    def has_ended(process):
        """Whether the process has called exit(2), so that only the kernel keeps it."""
        try:
            with open(f"/proc/{process}/cmdline", "rb") as file:
                return not file.read()
        except OSError:
            return True

    # Checks for each kind of disk

    def run_root(self, disk, process, name):
        """A guest's stick: the list, its pictures, and a choice have their ends."""
        wait_until(
            lambda: any(photo["id"] == ".1/a.jpg" for photo in json.loads(
                self.ask("GET", "/api/v1/photos")[2])["photos"]), "the stick's picture")
        disk.hang(name)
        item = "/api/v1/photos/.1%2Fa.jpg"
        for target in ("/api/v1/photos", f"{item}/thumbnail.jpg", f"{item}/original", item):
            try:
                status = self.within(
                    ANSWER, target, lambda: self.ask("GET", target, timeout=2 * ANSWER)[0])
                self.assertIn(status, (200, 404, 503), target)
            except (ConnectionError, OSError) as error:
                # The answer had begun: it ends without its rest.
                self.assertIn("original", target, error)
            except Exception as error:  # http.client.IncompleteRead
                self.assertIn("Incomplete", type(error).__name__, target)
        self.choose(disk)
        self.take_photo()
        if disk.held:
            self.wait_until_named(disk)

    def choose(self, disk):
        """A choice of the stick's picture has an outcome, or can be cancelled."""
        status, _, body = self.ask("POST", "/api/v1/begin", {"source": "photoLibrary", "limit": 2})
        self.assertIn(status, (200, 409), body)
        if status == 409:
            return
        session = self.state()["session"]
        self.ask("POST", "/api/v1/select", {"session": session, "item": ".1/a.jpg"})
        self.ask("POST", "/api/v1/accept", {"session": session})
        begin = time.monotonic()
        while self.state()["state"] == "saving" and time.monotonic() - begin < ANSWER:
            time.sleep(0.1)
        self.assertNotEqual(self.state()["state"], "saving", self.log())
        if self.state()["state"] == "browsing":
            self.ask("POST", "/api/v1/cancel", {"session": session})
        self.trigger("cancel")
        self.wait_for_state("idle")

    def run_copy(self, disk, process, name):
        """A disk for copies: the album can be changed, and photos are saved."""
        self.take_photo()
        wait_until(lambda: self.status()["library"]["copies"][0]["state"] == "ready"
                   and not self.status()["library"]["copies"][0]["waiting"], "the copy")
        disk.hang(name)
        self.take_photo()
        deadline = time.monotonic() + 8
        while not disk.held and time.monotonic() < deadline:
            time.sleep(0.1)
        result = self.within(ANSWER, "another album", lambda: self.run_retake(
            "photos", "album", f"after-{name}", "--config", self.config))
        self.assertEqual(result.returncode, 0, result.stderr)
        wait_until(lambda: f"after-{name}" in self.status()["library"]["path"], "the album", ANSWER)
        self.assertIn(f"after-{name}", self.take_photo())
        if disk.held:
            status = self.wait_until_named(disk)
            self.assertEqual(status["library"]["copies"][0]["state"], "silent")
            self.assertIn(disk.path, status["library"]["copies"][0]["fix"])

    def run_page(self, disk, process, name):
        """The page's own directory: each request has its answer."""
        self.assertEqual(self.ask("GET", "/")[2], b"own page")
        disk.hang(name)
        for target in ("/", "/"):
            status = self.within(
                ANSWER, target, lambda: self.ask("GET", target, timeout=2 * ANSWER)[0])
            self.assertIn(status, (200, 503))
        self.take_photo()
        if disk.held:
            self.wait_until_named(disk)

    def run_library(self, disk, process, name):
        """The library itself: its state is reported, and no session begins."""
        self.take_photo()
        disk.hang(name)
        self.trigger("shutter")
        deadline = time.monotonic() + 10
        while not disk.held and time.monotonic() < deadline:
            self.within(ANSWER, "accept", lambda: self.trigger("accept"))
            time.sleep(0.1)
        self.within(ANSWER, "the status", self.status)
        self.within(ANSWER, "the list", lambda: self.ask(
            "GET", "/api/v1/state", timeout=2 * ANSWER))
        if disk.held and self.blocks_the_room(name):
            status = self.wait_until_named(disk)
            wait_until(lambda: self.status()["library"]["state"] == "silent", "the state", NAMED)
            self.assertIn("unplug it", self.status()["library"]["fix"], status)

    @staticmethod
    def blocks_the_room(name):
        # The calls that the check of the library's room makes itself. Others are noticed only while
        # a save hangs in them.
        return name in ("lookup", "getattr", "statfs")

    def run_export(self, disk, process, name):
        """An export to a disk that hangs: the station goes on, and Ctrl-C ends the export."""
        self.take_photo()
        disk.hang(name)
        export = subprocess.Popen(
            [RETAKE, "photos", "export", os.path.join(disk.path, "photos.zip"), "--config",
             self.config],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.addCleanup(export.kill)
        deadline = time.monotonic() + 3
        while not disk.held and export.poll() is None and time.monotonic() < deadline:
            time.sleep(0.05)
        self.take_photo()
        if export.poll() is None:
            self.ends(export, signal.SIGINT)

    def combination(self, medium, name):
        """Holds back one call on one kind of disk; SIGTERM must end the station in time.

        Every second time the disk answers again first, and all is as before.
        """
        disk = self.disk(medium)
        process = self.start()
        # Before the process is waited for, which may need the disk.
        self.addCleanup(disk.close)
        getattr(self, f"run_{medium}")(disk, process, name)
        heals = NAMES.index(name) % 2 == 0 and medium != "library"
        if heals:
            disk.heal()
            wait_until(lambda: not self.status()["silentDisks"], "the disk's answers", NAMED)
            if medium == "root":
                wait_until(lambda: self.ask(
                    "GET", "/api/v1/photos/.1%2Fa.jpg/original")[0] == 200, "the picture", NAMED)
            if medium == "copy":
                wait_until(lambda: self.status()["library"]["copies"][0]["state"] == "ready"
                           and not self.status()["library"]["copies"][0]["waiting"], "the copies",
                           NAMED)
            disk.hang(name)
        code, took = self.ends(process)
        self.assertEqual(code, 0, self.log())
        return disk.was_reached, took
