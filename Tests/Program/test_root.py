"""Tests of root's work in a library that another user writes; these tests need root."""

import json
import os
import shutil
import sqlite3
import subprocess
import unittest

from station import PATIENCE, RETAKE, StationCase

NOBODY = 65534


class Root(StationCase):
    def setUp(self):
        super().setUp()
        if os.geteuid() != 0:
            self.fail("these tests change users and mount; run them as root")
        self.program = os.path.join(self.dir, "retake")
        shutil.copy(RETAKE, self.program)
        os.chmod(self.dir, 0o755)
        os.chmod(self.config, 0o644)
        os.mkdir(self.library)
        os.chown(self.library, NOBODY, NOBODY)
        # The files that an attacker would like root to touch.
        self.private = os.path.join(self.dir, "private")
        os.mkdir(self.private, 0o700)
        self.secret = os.path.join(self.private, "secret")
        with open(self.secret, "w") as file:
            file.write("root's")
        os.chmod(self.secret, 0o600)

    def root(self, *words, status=0, **options):
        result = self.run_retake(*words, "--config", self.config, **options)
        self.assertEqual(result.returncode, status, (words, result.stdout, result.stderr))
        return result

    def take(self, count=1):
        return [self.root("run", "--once", "--camera", "demo").stdout.strip()
                for _ in range(count)]

    def assert_untouched(self, names=("secret",)):
        self.assertEqual(sorted(os.listdir(self.private)), sorted(names))
        with open(self.secret) as file:
            self.assertEqual(file.read(), "root's")
        status = os.stat(self.secret)
        self.assertEqual((status.st_mode & 0o7777, status.st_uid), (0o600, 0))

    def link(self, target, *place):
        path = os.path.join(*place)
        os.symlink(target, path)
        os.lchown(path, NOBODY, NOBODY)
        return path

    # The library

    def test_a_link_that_is_named_like_a_photo_changes_nothing_of_what_it_leads_to(self):
        first, second = self.take(2)
        os.unlink(first)
        self.link(self.secret, first)
        for words in (("keep", "1"), ("keep", "--off", "1"), ("delete", "1"), ("verify",),
                      ("rebuild",), ("list",), ("show", "1")):
            self.run_retake("photos", *words, "--config", self.config)
            self.assert_untouched()
        self.root("photos", "keep", "2")
        self.assertEqual(os.stat(second).st_mode & 0o777, 0o444)

    def test_links_in_place_of_the_library_s_own_files_make_nothing_elsewhere(self):
        photo, = self.take()
        names = (".retake.catalog", ".retake.catalog-wal", ".retake.catalog-journal",
                 ".retake.journal", ".retake.lock", ".retake.album", ".retake.album.part",
                 ".retake.booth.sequence", ".retake-sequence.part")
        # All at once, then each by itself: one that is refused early hides the others.
        for planted in [names, *((name,) for name in names)]:
            for name in planted:
                path = os.path.join(self.library, name)
                if os.path.lexists(path):
                    os.unlink(path)
                self.link(os.path.join(self.private, "made"), path)
            if len(planted) > 1:
                self.root("photos", "list")
                self.root("photos", "album", "booth")
            self.root("run", "--once", "--camera", "demo")
            self.assert_untouched()
        self.assertTrue(os.path.exists(photo))

    def test_rows_of_the_catalog_that_name_other_places_delete_nothing(self):
        stick = os.path.join(self.dir, "usb")
        os.mkdir(stick)
        os.chown(stick, NOBODY, NOBODY)
        self.write_config(more=f'[copy]\nto = ["{stick}"]')
        self.take(2)
        with open(os.path.join(stick, ".retake-copies"), "w") as file:
            file.write("0123456789abcdef" * 2 + "\n")
        identity = "0123456789abcdef" * 2
        other = os.path.join(self.library, "other.txt")
        with open(other, "w") as file:
            file.write("the owner's")
        os.chown(other, NOBODY, NOBODY)
        beside = os.path.join(stick, "beside.jpg")
        with open(beside, "w") as file:
            file.write("the owner's")
        os.chown(beside, NOBODY, NOBODY)
        database = sqlite3.connect(os.path.join(self.library, ".retake.catalog"))
        # An attacker who writes the file does not follow its schema.
        database.execute("PRAGMA ignore_check_constraints = ON")
        with database:
            database.execute("INSERT OR REPLACE INTO target(id, path) VALUES(?, ?)",
                             (identity, stick))
            for album, name in (("booth", self.secret), (self.private, "secret"),
                                ("../private", "secret"), (".", "beside.jpg"),
                                ("booth", "../beside.jpg"), ("booth", other)):
                database.execute("INSERT INTO removal(target, album, name) VALUES(?, ?, ?)",
                                 (identity, album, name))
            database.execute("UPDATE photo SET name = ? WHERE name = 'IMG_00000002.jpg'", (other,))
        database.close()
        self.root("photos", "delete", "1")
        self.run_retake("photos", "delete", other, "--config", self.config)
        self.root("run", "--once", "--camera", "demo")
        self.assert_untouched()
        self.assertTrue(os.path.exists(other))
        self.assertTrue(os.path.exists(beside))

    def test_an_album_that_is_a_link_leads_root_nowhere(self):
        photo, = self.take()
        shutil.copy(photo, os.path.join(self.private, "IMG_00000007.jpg"))
        self.link(self.private, self.library, "wedding")
        self.run_retake("photos", "list", "--album", "wedding", "--config", self.config)
        self.run_retake("photos", "delete", "7", "--album", "wedding", "--config", self.config)
        self.run_retake("photos", "album", "wedding", "--config", self.config)
        self.run_retake("run", "--once", "--camera", "demo", "--config", self.config)
        self.assert_untouched(["secret", "IMG_00000007.jpg"])

    def test_a_library_whose_path_others_can_turn_elsewhere_is_refused(self):
        home = os.path.join(self.dir, "home")
        os.mkdir(home)
        os.chown(home, NOBODY, NOBODY)
        self.link(self.private, home, "photos")
        self.config = self.write_config(library=os.path.join(home, "photos"))
        for words in (("photos", "list"), ("run", "--once", "--camera", "demo"),
                      ("pick", "--list")):
            result = self.root(*words, status=7)
            self.assertIn("is a link that others than root can change", result.stderr)
            self.assert_untouched()
        # A link of root's own, in a directory of root's, is the operator's.
        os.chown(self.library, NOBODY, NOBODY)
        os.symlink(self.library, os.path.join(self.dir, "link"))
        self.config = self.write_config(library=os.path.join(self.dir, "link"))
        self.take()
        self.assertIn("IMG_00000001.jpg", self.root("photos", "list").stdout)

    def test_a_directory_of_root_s_that_everybody_writes_is_refused(self):
        shared = os.path.join(self.dir, "shared")
        os.mkdir(shared)
        os.chmod(shared, 0o777)
        self.config = self.write_config(library=shared)
        result = self.root("run", "--once", "--camera", "demo", status=7)
        self.assertIn("others can write", result.stderr)
        self.assertEqual(os.listdir(shared), [])

    def test_the_program_is_the_owner_with_the_owner_s_groups_and_cannot_return(self):
        os.mkdir(os.path.join(self.dir, "run"))
        os.chown(os.path.join(self.dir, "run"), NOBODY, NOBODY)
        self.socket = os.path.join(self.dir, "run", "socket")
        self.config = self.write_config()
        process = self.start("--log", "info")
        for thread in os.listdir(f"/proc/{process.pid}/task"):
            with open(f"/proc/{process.pid}/task/{thread}/status") as file:
                status = dict(line.rstrip("\n").split(":\t", 1) for line in file if ":\t" in line)
            # Swift's runtime ends the first thread at once; it stays in the list as a dead one.
            if status["State"].startswith("Z"):
                continue
            self.assertEqual(status["Uid"].split(), [str(NOBODY)] * 4)
            self.assertEqual(status["Gid"].split(), [str(NOBODY)] * 4)
            self.assertEqual(set(status["Groups"].split()) - {str(NOBODY)}, set())
            self.assertEqual(int(status["CapPrm"], 16), 0)
        # Nothing that root had open or in memory is for the owner's other programs.
        self.assertEqual(os.stat(f"/proc/{process.pid}/mem").st_uid, 0)

    def test_the_doctor_waits_for_nothing_and_makes_nothing(self):
        for name in ("booth", ".retake.album", ".retake.catalog", ".retake.lock"):
            os.mkfifo(os.path.join(self.library, name))
        before = sorted(os.listdir(self.library))
        self.run_retake("doctor", "--config", self.config)
        self.assertEqual(sorted(os.listdir(self.library)), before)
        self.assert_untouched()

    # Destinations

    def test_an_export_reads_as_the_owner_and_writes_as_root(self):
        self.take(2)
        # Even a second name of root's file is read with the owner's rights only.
        stolen = os.path.join(self.library, "booth", "stolen.jpg")
        os.link(self.secret, stolen)
        self.run_retake("photos", "rebuild", "--config", self.config)
        for destination in ("out", "out.zip"):
            path = os.path.join(self.private, destination)
            self.root("photos", "export", path)
            self.assertEqual(os.stat(path).st_uid, 0)
        out = os.path.join(self.private, "out")
        self.assertEqual(sorted(os.listdir(out)), ["IMG_00000001.jpg", "IMG_00000002.jpg"])
        for name in os.listdir(out):
            self.assertEqual(os.stat(os.path.join(out, name)).st_uid, 0)
        os.unlink(stolen)
        self.root("photos", "export", out)
        self.assert_untouched(["secret", "out", "out.zip"])

    def test_an_export_follows_no_link_of_others(self):
        self.take()
        home = os.path.join(self.dir, "home")
        os.mkdir(home)
        os.chown(home, NOBODY, NOBODY)
        self.link(self.private, home, "out")
        for path in ("out", "out/deeper", "out/photos.zip"):
            result = self.root("photos", "export", os.path.join(home, path), status=7)
            self.assertIn("root follows none", result.stderr)
            self.assert_untouched()
        # A directory of theirs is one that root may write to, and its traps are gone around.
        os.mkdir(os.path.join(home, "real"))
        os.link(self.secret, os.path.join(home, ".photos.zip.part"))
        self.link(self.secret, home, "real", ".retake-IMG_00000001.jpg.part")
        self.root("photos", "export", os.path.join(home, "photos.zip"))
        self.run_retake("photos", "export", os.path.join(home, "real"), "--config", self.config)
        self.assert_untouched()

    def test_files_that_root_writes_go_through_no_link_of_others(self):
        photo, = self.take()
        home = os.path.join(self.dir, "home")
        os.mkdir(home)
        os.chown(home, NOBODY, NOBODY)
        planted = self.link(self.secret, home, "planted.jpg")
        self.link(self.private, home, "folder")
        for output in (planted, os.path.join(home, "folder", "secret"),
                       os.path.join(home, "folder", "new.jpg")):
            for words in (("still", photo), ("snap", "--camera", "demo")):
                result = self.run_retake(*words, "--output", output, "--config", self.config)
                self.assertEqual(result.returncode, 7, (words, result.stderr))
                self.assertIn("root follows none", result.stderr)
                self.assert_untouched()
        # In /tmp, too, where root's directory is everybody's.
        sticky = os.path.join(self.dir, "sticky")
        os.mkdir(sticky)
        os.chmod(sticky, 0o1777)
        planted = self.link(self.secret, sticky, "planted.jpg")
        self.assertEqual(self.run_retake("still", photo, "--output", planted).returncode, 7)
        self.assert_untouched()
        # A link of root's own still leads to its file.
        os.symlink(os.path.join(self.dir, "made.jpg"), os.path.join(self.dir, "mine.jpg"))
        shutil.copy(photo, os.path.join(self.dir, "made.jpg"))
        self.root("still", photo, "--output", os.path.join(self.dir, "mine.jpg"))
        self.assertTrue(os.path.islink(os.path.join(self.dir, "mine.jpg")))
        # Nor is a picture read through one.
        shutil.copy(photo, os.path.join(self.private, "picture.jpg"))
        planted = self.link(os.path.join(self.private, "picture.jpg"), home, "in.jpg")
        result = self.run_retake("still", planted, "--output", os.path.join(self.dir, "x.jpg"))
        self.assertEqual(result.returncode, 2, result.stderr)
        self.assertFalse(os.path.exists(os.path.join(self.dir, "x.jpg")))

    def test_edits_go_to_a_directory_of_root_s(self):
        self.take()
        result = self.root("pick", "--select", "newest", "--edit", "--turn", "1", "--output",
                           self.private, "--json")
        path = json.loads(result.stdout)["media"][0]["editedImage"]["path"]
        self.assertEqual(os.path.dirname(path), self.private)
        self.assertEqual(os.stat(path).st_uid, 0)
        self.assert_untouched(["secret", os.path.basename(path)])

    # The service and a stick

    def test_a_stick_s_album_that_is_a_link_leads_the_service_nowhere(self):
        own = os.path.join(self.dir, "own")
        os.mkdir(own)
        os.chown(own, NOBODY, NOBODY)
        stick = os.path.join(self.dir, "stick")
        os.mkdir(stick)
        self.config = self.write_config(library=f"{stick}/photos")
        os.chmod(self.config, 0o644)
        script = (f"mount -t tmpfs tmpfs {stick}\nmkdir {stick}/photos\n"
                  f"ln -s {own} {stick}/photos/booth\nchown -hR {NOBODY} {stick}\nexec \"$@\"")
        for words in (("run", "--once", "--camera", "demo"), ("photos", "album")):
            result = subprocess.run(
                ["unshare", "--mount", "--propagation", "private", "sh", "-ec", script, "sh",
                 "setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups",
                 "--inh-caps=-all", self.program, *words, "--config", self.config],
                capture_output=True, text=True, timeout=PATIENCE, stdin=subprocess.DEVNULL,
                env={"PATH": os.environ["PATH"], "HOME": self.dir})
            self.assertNotEqual(result.returncode, 0, (words, result.stdout))
            self.assertEqual(os.listdir(own), [])


if __name__ == "__main__":
    unittest.main()
