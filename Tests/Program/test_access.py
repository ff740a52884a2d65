"""Tests of the program's access with real users, groups, modes and mounts; these tests need root."""

import json
import os
import shutil
import subprocess
import unittest

from station import PATIENCE, RETAKE, StationCase

NOBODY = 65534


class Access(StationCase):
    def setUp(self):
        super().setUp()
        if os.geteuid() != 0:
            self.fail("these tests change users and mount; run them as root")
        # The program and the test's directory must be within everybody's reach.
        self.program = os.path.join(self.dir, "retake")
        shutil.copy(RETAKE, self.program)
        os.chmod(self.dir, 0o755)
        os.chmod(self.config, 0o644)

    def as_user(self, *arguments, groups=(), before="", unshare=False):
        """Runs the program as a second user, with those groups and nothing else."""
        user = ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--inh-caps=-all"]
        user += [f"--groups={','.join(map(str, groups))}"] if groups else ["--clear-groups"]
        command = [*user, self.program, *arguments]
        if before or unshare:
            script = before + '\nexec "$@"'
            command = ["unshare", "--mount", "--propagation", "private", "sh", "-ec", script, "sh",
                       *command]
        return subprocess.run(
            command, capture_output=True, text=True, timeout=PATIENCE, stdin=subprocess.DEVNULL,
            env={"PATH": os.environ["PATH"], "HOME": self.dir})

    def access(self, resource, *arguments, **options):
        result = self.as_user("pick", "--access", "--json", "--config", self.config, *arguments,
                              **options)
        self.assertEqual(result.returncode, 0, result.stderr)
        return json.loads(result.stdout)[resource]

    def node(self, group, mode, major=1, minor=3):
        """A character device of a name that cameras have; by default it is /dev/null."""
        path = os.path.join(self.dir, "video0")
        os.mknod(path, 0o20000 | 0o600, os.makedev(major, minor))
        os.chown(path, 0, group)
        os.chmod(path, mode)
        return path

    # The library

    def test_what_root_makes_in_the_library_of_another_user_belongs_to_that_user(self):
        os.mkdir(self.library)
        os.chown(self.library, NOBODY, NOBODY)
        # ext4 has this at its root, and lets nobody else look into it.
        lost = os.path.join(self.library, "lost+found")
        os.mkdir(lost, 0o700)

        def root(*words):
            result = self.run_retake(*words, "--config", self.config)
            self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
            strangers = [os.path.join(place, name)
                         for place, folders, files in os.walk(self.library)
                         for name in folders + files
                         if os.lstat(os.path.join(place, name)).st_uid != NOBODY]
            self.assertEqual(strangers, [lost], words)
            return result.stdout

        root("run", "--once", "--camera", "demo")
        root("photos", "album", "wedding")
        root("run", "--once", "--camera", "demo")
        self.assertNotIn("lost+found", root("photos", "album"))
        root("photos", "keep", "1")
        root("photos", "verify")
        root("photos", "rebuild")
        # A directory of root's own is still one that root may export to.
        private = os.path.join(self.dir, "private")
        os.mkdir(private, 0o700)
        root("photos", "export", os.path.join(private, "out"))
        self.assertEqual(os.listdir(os.path.join(private, "out")), ["IMG_00000001.jpg"])
        root("photos", "delete", "1")
        result = self.as_user("run", "--once", "--camera", "demo", "--config", self.config)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("/wedding/IMG_00000002.jpg", result.stdout)
        self.assertNotIn("lost+found", result.stderr)
        result = self.as_user("photos", "delete", "2", "--config", self.config)
        self.assertEqual(result.returncode, 0, result.stderr)

    # The camera

    def test_a_node_of_a_group_is_for_its_members(self):
        video = int(subprocess.check_output(["getent", "group", "video"], text=True).split(":")[2])
        path = self.node(video, 0o660)
        denied = self.access("camera", "--camera", path)
        self.assertEqual(denied["status"], "denied")
        self.assertIn("root:video with mode 0660", denied["why"])
        self.assertIn("usermod -aG video", denied["fix"])
        self.assertEqual(denied["who"], "nobody")
        self.assertIn(path, denied["what"])
        self.assertEqual(
            self.access("camera", "--camera", path, groups=[video])["status"], "authorized")

    def test_a_node_without_a_group_of_its_own_wants_a_rule(self):
        denied = self.access("camera", "--camera", self.node(0, 0o600))
        self.assertEqual(denied["status"], "denied")
        self.assertIn("udev", denied["fix"])

    def test_as_a_service_the_fix_is_the_service_s(self):
        video = int(subprocess.check_output(["getent", "group", "video"], text=True).split(":")[2])
        path = self.node(video, 0o660)
        denied = self.access("camera", "--camera", path, before="export INVOCATION_ID=1",
                             unshare=True)
        self.assertIn("SupplementaryGroups=video", denied["fix"])

    def test_a_node_that_the_sandbox_hides_is_restricted(self):
        # On a mount without devices the kernel refuses a node whose mode lets everybody in.
        path = os.path.join(self.dir, "dev", "video0")
        os.mkdir(os.path.dirname(path))
        before = (f"mount -t tmpfs -o nodev tmpfs {self.dir}/dev\n"
                  f"mknod -m 666 {path} c 1 3")
        restricted = self.access("camera", "--camera", path, before=before)
        self.assertEqual(restricted["status"], "restricted")
        self.assertIn("DeviceAllow", restricted["fix"])

    def test_a_camera_that_is_absent_is_no_question_of_permission(self):
        self.assertEqual(
            self.access("camera", "--camera", "/dev/video99"), {"status": "notDetermined"})

    def test_a_camera_that_is_switched_off_is_restricted(self):
        self.config = self.write_config(more='[camera]\ndevice = "off"')
        os.chmod(self.config, 0o644)
        self.assertEqual(self.access("camera")["status"], "restricted")

    def test_the_thrown_error_says_the_same_as_the_access(self):
        video = int(subprocess.check_output(["getent", "group", "video"], text=True).split(":")[2])
        path = self.node(video, 0o660)
        os.mkdir(self.library, 0o755)
        os.chown(self.library, NOBODY, NOBODY)
        os.chown(self.dir, NOBODY, NOBODY)
        result = self.as_user("pick", "--source", "camera", "--camera", path, "--config", self.config)
        self.assertEqual(result.returncode, 7, result.stderr)
        denied = self.access("camera", "--camera", path)
        self.assertIn(denied["why"], result.stderr)
        self.assertIn(denied["fix"], result.stderr)
        snap = self.as_user("snap", "--camera", path, "--output", os.path.join(self.dir, "a.jpg"))
        self.assertEqual(snap.returncode, 7, snap.stderr)
        self.assertIn(denied["why"], snap.stderr)
        self.assertIn(denied["fix"], snap.stderr)

    def test_the_doctor_says_the_same_as_the_access(self):
        video = int(subprocess.check_output(["getent", "group", "video"], text=True).split(":")[2])
        path = self.node(video, 0o660)
        self.config = self.write_config(more=f'[camera]\ndevice = "{path}"')
        os.chmod(self.config, 0o644)
        album = self.give_library()
        os.chown(album, 0, 0)
        os.chmod(album, 0o755)
        result = self.as_user("doctor", "--json", "--config", self.config)
        findings = {finding["code"]: finding for finding in json.loads(result.stdout)["findings"]}
        for resource in ("camera", "library"):
            access = self.access(resource)
            finding = findings[f"{resource}-denied"]
            self.assertEqual(
                finding["text"], f"{access['who']} cannot use {access['what']}: {access['why']}")
            self.assertEqual(finding["fix"], access["fix"])

    # The library

    def give_library(self):
        album = os.path.join(self.library, "booth")
        os.makedirs(album)
        for path in (self.library, album):
            os.chown(path, NOBODY, NOBODY)
        return album

    def test_a_directory_of_one_s_own_is_authorized(self):
        self.give_library()
        self.assertEqual(self.access("library"), {"status": "authorized"})

    def test_a_directory_of_somebody_else_is_denied(self):
        album = self.give_library()
        os.chown(album, 0, 0)
        os.chmod(album, 0o755)
        denied = self.access("library")
        self.assertEqual(denied["status"], "denied")
        self.assertIn(f"{album} belongs to root:root with mode 0755", denied["why"])
        self.assertIn("chown", denied["fix"])

    def test_a_closed_directory_on_the_way_is_named(self):
        self.give_library()
        os.chown(self.library, 0, 0)
        os.chmod(self.library, 0o700)
        denied = self.access("library")
        self.assertEqual(denied["status"], "denied")
        self.assertIn(f"{self.library} belongs to", denied["why"])
        result = self.as_user("pick", "--select", "newest", "--json", "--config", self.config)
        self.assertEqual(result.returncode, 7, result.stderr)

    def test_a_read_only_file_system_is_restricted(self):
        self.give_library()
        before = (f"mount -t tmpfs tmpfs {self.library}\nmkdir {self.library}/booth\n"
                  f"chown {NOBODY} {self.library}/booth\nmount -o remount,ro {self.library}")
        restricted = self.access("library", before=before)
        self.assertEqual(restricted["status"], "restricted")
        self.assertIn("is read-only", restricted["why"])
        self.assertIn(f"remount,rw {self.library}", restricted["fix"])

    def test_a_read_only_mount_for_the_service_alone_is_restricted(self):
        self.give_library()
        before = (f"mount --bind {self.library} {self.library}\n"
                  f"mount -o remount,bind,ro {self.library}")
        restricted = self.access("library", before=before)
        self.assertEqual(restricted["status"], "restricted")
        self.assertIn("ReadWritePaths", restricted["fix"])

    def test_a_library_of_named_albums_is_limited(self):
        self.give_library()
        with open(self.config) as file:
            text = file.read()
        with open(self.config, "w") as file:
            file.write(text.replace("[socket]", 'albums = ["booth"]\n[socket]'))
        self.assertEqual(self.access("library"), {"status": "limited"})

    def test_a_station_that_may_not_save_says_why_and_ends_with_its_status(self):
        album = self.give_library()
        os.chown(album, 0, 0)
        os.chown(self.library, 0, 0)
        result = self.as_user("run", "--once", "--camera", "demo", "--config", self.config)
        self.assertEqual(result.returncode, 7, result.stderr)
        self.assertIn("permission is denied", result.stderr)
        self.assertIn("chown", result.stderr)

    # Buttons

    def test_buttons_that_are_not_configured_are_not_determined(self):
        self.assertEqual(self.access("buttons"), {"status": "notDetermined"})

    def test_a_chip_of_a_group_is_for_its_members(self):
        self.config = self.write_config(more='[buttons.one]\nline = "GPIO17"\nrole = "shutter"')
        os.chmod(self.config, 0o644)
        # A /dev with nothing in it but a chip of the group video.
        video = int(subprocess.check_output(["getent", "group", "video"], text=True).split(":")[2])
        before = ("mount -t tmpfs tmpfs /dev\nmknod -m 666 /dev/null c 1 3\n"
                  f"mknod -m 660 /dev/gpiochip0 c 1 3\nchgrp {video} /dev/gpiochip0")
        denied = self.access("buttons", before=before)
        self.assertEqual(denied["status"], "denied")
        self.assertIn("/dev/gpiochip0", denied["what"])
        self.assertIn("usermod -aG video", denied["fix"])
        self.assertEqual(
            self.access("buttons", before=before, groups=[video])["status"], "authorized")

    def test_a_chip_that_the_sandbox_hides_is_restricted(self):
        self.config = self.write_config(more='[buttons.one]\nline = "GPIO17"\nrole = "shutter"')
        os.chmod(self.config, 0o644)
        before = "mount -t tmpfs -o nodev tmpfs /dev\nmknod -m 666 /dev/gpiochip0 c 1 3"
        restricted = self.access("buttons", before=before)
        self.assertEqual(restricted["status"], "restricted")
        self.assertIn("DeviceAllow=char-gpiochip", restricted["fix"])


if __name__ == "__main__":
    unittest.main()
