"""Tests that file names cannot send control sequences to the reader's terminal."""

import json
import os
import re
import shutil
import socket
import threading
import unittest

from station import StationCase

# ESC and BEL, the C1 form of ESC [, a line end, and the override that turns text around.
NAMES = ["a\x1b[2J\x07.jpg", "b\u009b31m.jpg", "c\nsaved all.jpg", "d\u202egpj.exe.jpg",
         "e\r\x1b]0;title\x1b\\.jpg"]
RAW = [b"f\xff\x9b31m\x1b[0m.jpg"]
BAD = re.compile("[\x00-\x08\x0b-\x1f\x7f\u0080-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]")


class Plain(StationCase):
    def setUp(self):
        super().setUp()
        result = self.run_retake("run", "--once", "--camera", "demo", "--config", self.config)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.photo = result.stdout.strip()
        self.album = os.path.dirname(self.photo)
        for name in NAMES + RAW:
            place = self.album.encode() if isinstance(name, bytes) else self.album
            shutil.copy(self.photo, os.path.join(place, name))

    def ask(self, *words, status=None):
        result = self.run_retake(*words, "--config", self.config)
        if status is not None:
            self.assertEqual(result.returncode, status, result.stderr)
        self.assertIsNone(BAD.search(result.stdout), (words, result.stdout))
        self.assertIsNone(BAD.search(result.stderr), (words, result.stderr))
        return result

    def test_lists_have_one_line_for_each_picture_and_nothing_that_a_terminal_obeys(self):
        lines = self.ask("photos", "list", status=0).stdout.splitlines()
        self.assertEqual(len(lines), len(self.ask_names()), lines)
        lines = self.ask("pick", "--list", status=0).stdout.splitlines()
        self.assertGreaterEqual(len(lines), 1 + len(NAMES))
        self.assertTrue(any("\\u{1B}[2J" in line for line in lines), lines)

    def ask_names(self):
        result = self.run_retake("photos", "list", "--json", "--config", self.config)
        return [row["name"] for row in json.loads(result.stdout)]

    def test_json_is_exact_and_a_name_can_be_given_back_as_it_was_printed(self):
        # Names with controls are not in the catalog at all.
        listed = set(NAMES) & set(self.ask_names())
        self.assertEqual(listed, {"d\u202egpj.exe.jpg"})
        for name in NAMES:
            shown = "".join(f"\\u{{{ord(sign):X}}}" if BAD.match(sign) or sign == "\n" else sign
                            for sign in name)
            for word in (name, shown) if name in listed else ():
                out = self.ask("photos", "show", word, status=0).stdout
                self.assertIn(shown, out)
            out = self.ask("pick", "--select", f"booth/{shown}", status=0).stdout
            self.assertEqual(out, os.path.join(self.album, shown) + "\n")

    def test_whatever_is_said_of_such_a_name_is_plain(self):
        for name in NAMES:
            self.ask("photos", "delete", f"no such {name}")
            self.ask("photos", "list", "--album", name)
            self.ask("photos", "album", name)
            self.ask("snap", "--camera", name, "--output", os.path.join(self.dir, "x.jpg"))
            self.ask("still", os.path.join(self.dir, name), "--output", self.dir + "/y.jpg")
            self.ask("trigger", name)
            self.ask(name)
        for words in (("photos", "verify"), ("photos", "rebuild"), ("doctor",), ("cameras",),
                      ("photos", "export", os.path.join(self.dir, NAMES[0]))):
            self.ask(*words)

    def test_the_answer_of_something_that_is_no_station_is_plain(self):
        path = os.path.join(self.dir, "impostor")
        server = socket.socket(socket.AF_UNIX)
        server.bind(path)
        server.listen()

        def answer():
            for text in ("ok \x1b[2Jdone\u202e", "refused \x1b]0;x\x07no", "ok {\"a\": \"\x1b\"}"):
                client, _ = server.accept()
                client.recv(100)
                client.sendall(text.encode() + b"\n")
                client.close()
        thread = threading.Thread(target=answer, daemon=True)
        thread.start()
        for action in ("accept", "accept", "status"):
            result = self.run_retake("trigger", action, "--socket", path)
            self.assertIsNone(BAD.search(result.stdout + result.stderr), result)
        thread.join()
        server.close()


if __name__ == "__main__":
    unittest.main()
