"""Tests that bad input gives one plain sentence with the fix and the right exit code, and loses nothing."""

import os
import shutil
import stat
import subprocess
import unittest

from station import RETAKE, StationCase

UNPRIVILEGED = 65534


class BadInput(StationCase):
    def assert_complaint(self, result, status, *words):
        self.assertEqual(result.returncode, status, result.stderr)
        self.assertEqual(result.stdout, "")
        lines = result.stderr.strip().split("\n")
        self.assertEqual(len(lines), 1, result.stderr)
        self.assertTrue(lines[0].startswith("retake: "), result.stderr)
        for word in words:
            self.assertIn(word, lines[0])

    def once(self, *arguments, **options):
        return self.run_retake("run", "--once", "--config", self.config, *arguments, **options)

    def test_no_camera(self):
        self.assert_complaint(self.once("--camera", "/dev/video99"), 3, "/dev/video99")
        self.assert_complaint(self.once("--camera", "usb-Nobody-index0"), 3, "usb-Nobody-index0")
        self.assertEqual(self.photos(), [])

    def test_something_that_is_no_camera(self):
        self.assert_complaint(self.once("--camera", "/dev/null"), 3, "/dev/null")

    def test_clips(self):
        empty = os.path.join(self.dir, "empty.mjpeg")
        open(empty, "w").close()
        text = os.path.join(self.dir, "text.mjpeg")
        with open(text, "w") as file:
            file.write("no picture\n" * 1000)
        self.assert_complaint(self.once("--camera", f"clip:{empty}"), 3, "empty")
        self.assert_complaint(self.once("--camera", f"clip:{text}"), 3, text)
        self.assert_complaint(self.once("--camera", f"clip:{self.dir}/none.mjpeg"), 3, "none.mjpeg")
        self.assert_complaint(self.once("--camera", f"clip:{self.dir}"), 3, self.dir)
        self.assert_complaint(self.once("--camera", "clip:"), 3)

    @unittest.skipUnless(os.geteuid() == 0, "needs another user")
    def test_a_directory_that_cannot_be_written(self):
        os.chmod(self.dir, 0o755)
        os.makedirs(self.library, mode=0o755)
        result = self.once("--camera", "demo", user=UNPRIVILEGED, group=UNPRIVILEGED)
        self.assert_complaint(result, 7, self.library)
        result = self.run_retake(
            "snap", "--camera", "demo", "--output", f"{self.library}/x.jpg", user=UNPRIVILEGED,
            group=UNPRIVILEGED)
        self.assert_complaint(result, 7, self.library)
        self.assertEqual(self.photos(), [])

    def test_a_library_that_is_a_file(self):
        with open(self.library, "w") as file:
            file.write("keep me")
        self.assert_complaint(self.once("--camera", "demo"), 5, self.library)
        with open(self.library) as file:
            self.assertEqual(file.read(), "keep me")

    @unittest.skipUnless(os.geteuid() == 0, "needs to mount")
    def test_a_full_disk(self):
        os.makedirs(self.library)
        mounted = subprocess.run(
            ["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", self.library], capture_output=True)
        if mounted.returncode != 0:
            self.skipTest("this machine cannot mount")
        self.addCleanup(subprocess.run, ["umount", self.library])
        self.assert_complaint(self.once("--camera", "demo"), 5, "room")
        self.assertEqual(self.photos(), [])

    @unittest.skipUnless(os.geteuid() == 0, "needs to mount")
    def test_photos_on_a_ram_disk_must_be_meant(self):
        os.makedirs(self.library)
        mounted = subprocess.run(
            ["mount", "-t", "tmpfs", "tmpfs", self.library], capture_output=True)
        if mounted.returncode != 0:
            self.skipTest("this machine cannot mount")
        self.addCleanup(subprocess.run, ["umount", self.library])
        path = os.path.join(self.dir, "strict.toml")
        with open(path, "w") as file:
            file.write(f'[countdown]\nseconds = 0\n[library]\npath = "{self.library}"\n')
        result = self.run_retake("run", "--once", "--camera", "demo", "--config", path)
        self.assert_complaint(result, 5, "tmpfs")

    def test_configurations(self):
        def config(text):
            path = os.path.join(self.dir, "bad.toml")
            with open(path, "w") as file:
                file.write(text)
            return self.run_retake("config", "--config", path)
        self.assert_complaint(config("this is = = not"), 2, "bad.toml:1", "invalid TOML")
        self.assert_complaint(
            config("[countdwon]\nseconds = 1"), 2, "bad.toml:2:", "countdown.seconds")
        self.assert_complaint(config("[countdown]\nseconds = true"), 2, "bad.toml:2:", "a number")
        self.assert_complaint(
            self.run_retake("config", "--config", f"{self.dir}/none.toml"), 2, "none.toml")
        self.assert_complaint(self.run_retake("config", "--config", self.dir), 2, self.dir)

    def test_command_lines(self):
        self.assert_complaint(self.run_retake("rnu"), 2, "'run'")
        self.assert_complaint(self.run_retake("run", "--camra", "demo"), 2, "'--camera'")
        self.assert_complaint(self.run_retake("run", "--camera"), 2, "needs a value")
        self.assert_complaint(self.run_retake("run", "--once=yes"), 2, "takes no value")
        self.assert_complaint(self.run_retake("run", "extra"), 2, "'extra'")
        self.assert_complaint(self.run_retake("snap", "--camera", "demo"), 2, "--output")
        self.assert_complaint(self.run_retake("trigger"), 2, "ACTION")
        self.assert_complaint(self.run_retake("trigger", "shuter"), 2, "'shutter'")
        self.assert_complaint(
            self.run_retake("run", "--camera", "demo", "--fps", "fast"), 2, "--fps")
        self.assertEqual(self.run_retake().returncode, 2)

    def test_no_station_to_trigger(self):
        self.assert_complaint(
            self.run_retake("trigger", "shutter", "--socket", self.socket), 8, self.socket,
            "retake run")

    def test_a_second_station(self):
        self.start()
        result = self.run_retake("run", "--camera", "demo", "--config", self.config)
        self.assert_complaint(result, 5)

    def test_snap_into_nowhere(self):
        self.assert_complaint(
            self.run_retake("snap", "--camera", "demo", "--output", f"{self.dir}/no/x.jpg"), 5,
            "does not exist")
        self.assert_complaint(
            self.run_retake("snap", "--camera", "demo", "--output", self.dir), 2, "directory")

    def test_snap_replaces_no_device_and_follows_links(self):
        fifo = os.path.join(self.dir, "fifo")
        os.mkfifo(fifo)
        for target in (fifo, "-"):
            self.assert_complaint(
                self.run_retake("snap", "--camera", "demo", "--output", target), 2, "name")
        self.assertTrue(stat.S_ISFIFO(os.stat(fifo).st_mode))
        real, link = os.path.join(self.dir, "real.jpg"), os.path.join(self.dir, "link.jpg")
        open(real, "w").close()
        os.symlink(real, link)
        result = self.run_retake("snap", "--camera", "demo", "--output", link)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertTrue(os.path.islink(link))
        self.assert_upright_portrait(real)

    def test_output_that_is_lost_is_told(self):
        with open("/dev/full", "w") as full:
            result = subprocess.run(
                [RETAKE, "config"], stdout=full, stderr=subprocess.PIPE, text=True)
        self.assertEqual(result.returncode, 5)
        self.assertIn("could not be written", result.stderr)

    def test_a_reader_that_goes_away(self):
        result = subprocess.run(
            f"'{shutil.which('true')}' | true; '{os.environ.get('RETAKE', 'retake')}' config | head -n 1",
            shell=True, capture_output=True, text=True)
        self.assertNotIn("error", result.stderr.lower())

    def test_help_is_everywhere(self):
        overview = self.run_retake("--help")
        self.assertEqual(overview.returncode, 0)
        for command in ("run", "snap", "cameras", "trigger", "config", "version"):
            self.assertIn(f"\n  {command} ", overview.stdout)
            result = self.run_retake(command, "--help")
            self.assertEqual(result.returncode, 0)
            self.assertIn(f"usage: retake {command}", result.stdout)


if __name__ == "__main__":
    unittest.main()
