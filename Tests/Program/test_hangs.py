"""A disk that hangs holds up neither guests nor the station.

The shortest combinations; `scripts/campaigns/hangs` tries every call on every kind of disk.
"""

import fcntl
import json
import os
import subprocess
import unittest

from hangs import ANSWER, PATIENCE, HangCase
from station import RETAKE
from test_web import wait_until


class HangTests(HangCase):
    def test_a_guests_stick(self):
        held, took = self.combination("root", "read")
        self.assertLess(took, 10)

    def test_a_disk_for_copies(self):
        _, took = self.combination("copy", "fsync")
        self.assertLess(took, 10)

    def test_a_pipe_in_the_place_of_a_directorys_name_holds_up_no_change_of_album(self):
        stick = os.path.join(self.dir, "stick")
        os.mkdir(stick)
        os.mkfifo(os.path.join(stick, ".retake-copies"))
        self.configure(f'\n[copy]\nto = [{json.dumps(stick)}]\n')
        self.start()
        self.take_photo()
        result = self.within(ANSWER, "another album", lambda: self.run_retake(
            "photos", "album", "next", "--config", self.config))
        self.assertEqual(result.returncode, 0, result.stderr)
        wait_until(lambda: "next" in self.status()["library"]["path"], "the album", ANSWER)
        self.assertIn("/next/", self.take_photo())

    def test_the_commands_of_photos_end_while_a_disk_for_copies_hangs(self):
        disk = self.disk("copy")
        process = self.start()
        self.addCleanup(disk.close)
        self.take_photo()
        self.take_photo()
        wait_until(lambda: not self.status()["library"]["copies"][0]["waiting"]
                   and self.status()["library"]["copies"][0]["state"] == "ready", "the copies")
        self.ends(process)
        disk.hang()
        # The library is free for a station while a command waits.
        show = self.begin_photos("show", "1")
        wait_until(lambda: disk.held, "the look at the disk")
        lock = os.open(os.path.join(self.library, ".retake.lock"), os.O_RDWR)
        self.addCleanup(os.close, lock)
        wait_until(lambda: self.is_free(lock), "the library", PATIENCE)
        for words, code in ((None, 0), (("verify",), 1), (("delete", "2"), 0),
                            (("export", f"{disk.path}/there"), None),
                            (("export", f"{disk.path}/there.zip"), None)):
            with self.subTest(words=words):
                command = show if words is None else self.begin_photos(*words)
                out, err = self.within(
                    ANSWER, words, lambda: command.communicate(timeout=3 * ANSWER))
                self.assertIn(f"the disk of {disk.path}", err)
                self.assertIn("does not answer", err)
                if code is None:
                    self.assertNotEqual(command.returncode, 0, out)
                else:
                    self.assertEqual(command.returncode, code, err)
        disk.heal()
        self.assertEqual(self.begin_photos("delete", "1").wait(ANSWER), 0)
        self.assertEqual([name for name in os.listdir(f"{disk.files}/booth")
                          if name.endswith(".jpg")], [])

    def begin_photos(self, *words):
        process = subprocess.Popen(
            [RETAKE, "photos", *words, "--config", self.config], stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(process.kill)
        return process

    @staticmethod
    def is_free(lock):
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        fcntl.flock(lock, fcntl.LOCK_UN)
        return True

    def test_a_scripts_choice_from_a_stick_that_hangs_ends(self):
        disk = self.disk("root")
        disk.hang("read")
        result = self.within(60, "the choice", lambda: self.run_retake(
            "pick", "--config", self.config, "--select", ".1/a.jpg", stdin=-3))
        self.assertNotEqual(result.returncode, 0)
        self.assertIn(disk.path, result.stderr)
        self.assertEqual(result.stdout, "")


if __name__ == "__main__":
    unittest.main()
