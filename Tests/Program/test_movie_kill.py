"""SIGKILL at every system call that writes, while a movie is recorded, looked at and saved."""

import json
import os
import pathlib
import re
import subprocess
import unittest

from station import RETAKE, StationCase
from test_movies import numbered_clip, numbers

# Each follows a write of the movie, and nothing else in the program makes this call.
RECORDING = ["sync_file_range"]
# The library's calls in its directories and on files without a name.
SAVING = ["fdatasync", "fsync", "linkat", "renameat2", "unlinkat", "writev"]
SIZE = (640, 480)


class MovieKill(StationCase):
    def setUp(self):
        super().setUp()
        self.config = self.write_config(more='[movie]\ncodec = "copy"\npreroll = 0')
        self.trace = os.path.join(self.dir, "trace")

    def session(self, *inject):
        """Records one movie with a program that may be killed; returns its report and its system calls."""
        result = subprocess.run(
            ["strace", "-f", "-q", "-y", "-e", "trace=" + ",".join(RECORDING + SAVING),
             "-o", self.trace, *inject, RETAKE, "pick", "--source", "camera", "--media", "movie",
             "--seconds", "0.6", "--json", "--camera", f"clip:{numbered_clip('480p-420-nodht-90')}",
             "--config", self.config],
            stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=240)
        with open(self.trace) as file:
            calls = re.findall(r"^\d+ +(\w+)\(", file.read(), re.MULTILINE)
        path = None
        if result.stdout.strip():
            (medium,) = json.loads(result.stdout)["media"]
            path = medium["mediaURL"]
        return result.returncode, path, {name: calls.count(name) for name in calls}

    def names(self):
        album = pathlib.Path(self.library, "booth")
        return sorted(path.name for path in album.iterdir()) if album.exists() else []

    def movies(self):
        """Returns the album's movies, after checking that each is a whole movie."""
        found = [str(pathlib.Path(self.library, "booth", name)) for name in self.names()
                 if not name.startswith(".")]
        for path in set(found) - self.whole:
            self.assertRegex(path, r"/IMG_\d{8}\.mp4$")
            read = numbers(path, *SIZE)
            self.assertGreater(len(read), 1)
            self.assertNotIn(None, read)
            self.whole.add(path)
        return set(found)

    def kill_at_each(self, names, *always):
        """Kills the program at each call of these names; reported movies must stay."""
        self.whole = set()
        status, path, _ = self.session(*always)
        self.assertEqual(status, 0)
        told = {path}
        status, path, counts = self.session(*always)
        self.assertEqual(status, 0)
        told.add(path)
        kills = {"recording": 0, "saving": 0}
        for name in [name for name in names if name in counts]:
            for number in range(1, counts[name] + 1):
                with self.subTest(call=name, number=number):
                    status, path, _ = self.session(
                        *always, "-e", f"inject={name}:signal=KILL:when={number}")
                    if path:
                        told.add(path)
                    found = self.movies()
                    self.assertLessEqual(told, found)
                    kind = "recording" if name in RECORDING else "saving"
                    if status != 0:
                        kills[kind] += 1
                    # An unreported movie may be there if the kill came after it got its name.
                    self.assertLessEqual(len(found - told), 0 if kind == "recording" else 1)
                    told |= found
        # The next start clears up, and records as ever.
        status, path, _ = self.session(*always)
        self.assertEqual(status, 0)
        self.assertNotIn(path, told)
        self.assertEqual(self.movies(), told | {path})
        self.assertEqual([name for name in self.names() if not name.startswith("IMG_")], [])
        verified = self.run_retake("photos", "verify", "--config", self.config)
        self.assertEqual(verified.returncode, 0, verified.stdout + verified.stderr)
        return counts, kills

    def test_a_kill_at_each_call_of_a_movie(self):
        counts, kills = self.kill_at_each(RECORDING + SAVING)
        # The head, a fragment or more, and the head with all tables.
        self.assertGreaterEqual(kills["recording"], 3, counts)
        self.assertGreaterEqual(kills["saving"], 3, counts)
        self.assertIn("linkat", counts)

    def test_a_kill_at_each_call_where_unnamed_files_get_no_name(self):
        counts, kills = self.kill_at_each(
            [name for name in SAVING if name != "linkat"],
            "-e", "inject=linkat:error=EOPNOTSUPP")
        self.assertIn("renameat2", counts)
        self.assertIn("writev", counts)
        self.assertGreaterEqual(kills["saving"], 4, counts)


if __name__ == "__main__":
    unittest.main()
