"""A disk that hangs holds up neither guests nor the station: some calls; the campaign tries all."""

import json
import os
import unittest

from hangs import ANSWER, HangCase
from test_web import wait_until


class HangTests(HangCase):
    def test_a_guests_stick(self):
        held, took = self.combination("root", "read")
        self.assertLess(took, 10)

    def test_a_disk_for_copies(self):
        _, took = self.combination("copy", "fsync")
        self.assertLess(took, 10)

    def test_the_pages_directory(self):
        _, took = self.combination("page", "lookup")
        self.assertLess(took, 10)

    def test_the_library(self):
        self.combination("library", "statfs")

    def test_an_export(self):
        self.combination("export", "write")

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
