"""SIGKILL at every system call of a commit, on the program itself: strace delivers it."""

import os
import pathlib
import re
import subprocess
import unittest

from station import RETAKE, StationCase

# The system calls of a session in the library; the program is killed before a call returns.
CALLS = ["openat", "pwrite64", "write", "fsync", "fdatasync", "linkat", "renameat2", "unlinkat"]


class Kill(StationCase):
    def session(self, *inject):
        """Runs one session of a program that may be killed; returns its report of a photo."""
        self.trace = os.path.join(self.dir, "trace")
        result = subprocess.run(
            ["strace", "-f", "-q", "-e", "trace=" + ",".join(CALLS), "-P", self.library,
             "-P", os.path.join(self.library, "booth"), "-o", self.trace, "-y", *inject, RETAKE,
             "run", "--once", "--camera", "demo", "--config", self.config],
            capture_output=True, text=True, timeout=120)
        return result.returncode, result.stdout.strip()

    def check(self, told):
        """Checks that every reported photo is there and whole, and that nothing else is."""
        found = {path for path in self.photos() if "/." not in path}
        for path in told:
            self.assertIn(path, found)
        for path in found:
            decoded = subprocess.run(["djpeg", "-pnm", path], capture_output=True)
            self.assertEqual((decoded.returncode, decoded.stderr), (0, b""), path)
        return found

    def test_a_kill_at_each_call_of_a_session(self):
        # The first session makes the library; the calls of a later one are counted.
        status, path = self.session()
        self.assertEqual(status, 0)
        told = [path]
        status, path = self.session()
        told.append(path)
        with open(self.trace) as file:
            calls = re.findall(r"^\d+\s+(\w+)\(", file.read(), re.MULTILINE)
        counts = {name: calls.count(name) for name in CALLS if name in calls}
        self.assertTrue(counts.get("linkat"), counts)
        self.assertTrue(counts.get("fsync", 0) + counts.get("fdatasync", 0) >= 2, counts)
        kills, accepted = 0, 0
        for name, count in counts.items():
            for number in range(1, count + 1):
                with self.subTest(call=name, number=number):
                    status, path = self.session(
                        "-e", f"inject={name}:signal=KILL:when={number}")
                    kills += status != 0
                    if path:
                        told.append(path)
                    # An unreported photo may be there if the kill came after it got its name.
                    extra = len(self.check(told)) - len(told)
                    self.assertIn(extra, (0, 1))
                    if extra:
                        accepted += 1
                        told += [path for path in self.check(told) if path not in told]
        self.assertGreater(kills, 4)
        # The next start clears up, takes a photo, and every number was used once.
        status, path = self.session()
        self.assertEqual(status, 0)
        told.append(path)
        self.check(told)
        self.assertEqual(len(set(told)), len(told))
        names = [path.name for path in pathlib.Path(self.library, "booth").iterdir()]
        self.assertEqual([name for name in names if name.endswith(".part")], [])
        listed = self.run_retake("photos", "verify", "--config", self.config)
        self.assertEqual(listed.returncode, 0, listed.stdout + listed.stderr)


if __name__ == "__main__":
    unittest.main()
