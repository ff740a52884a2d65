"""`retake photos`: what is in the library, and what an operator does with it."""

import json
import os
import subprocess
import unittest
import zipfile

from station import RETAKE, StationCase, wait_until


class Photos(StationCase):
    def setUp(self):
        super().setUp()
        os.chmod(self.dir, 0o755)

    def take(self, count):
        """Takes photos; their paths, oldest first."""
        paths = []
        for _ in range(count):
            result = self.run_retake("run", "--once", "--camera", "demo", "--config", self.config)
            self.assertEqual(result.returncode, 0, result.stderr)
            paths.append(result.stdout.strip())
        return paths

    def ask(self, *words, status=0, **options):
        result = self.run_retake("photos", *words, "--config", self.config, **options)
        self.assertEqual(result.returncode, status, result.stdout + result.stderr)
        return result.stdout, result.stderr

    def rows(self, *words):
        return json.loads(self.ask("list", "--json", *words)[0])

    def test_the_list_is_newest_first_and_says_what_is_known(self):
        paths = self.take(3)
        rows = self.rows()
        self.assertEqual([row["path"] for row in rows], paths[::-1])
        self.assertEqual([(row["width"], row["height"]) for row in rows], [(540, 720)] * 3)
        self.assertEqual([row["bytes"] for row in rows],
                         [os.path.getsize(path) for path in paths[::-1]])
        self.assertEqual(len(self.rows("--limit", "2")), 2)
        self.assertEqual(len(self.ask("list")[0].splitlines()), 3)
        shown = json.loads(self.ask("show", "2", "--json")[0])
        self.assertEqual(shown["path"], paths[1])

    def test_pictures_from_elsewhere_are_listed_and_not_touched(self):
        path, = self.take(1)
        foreign = os.path.join(os.path.dirname(path), "holiday.jpg")
        with open(path, "rb") as source, open(foreign, "wb") as target:
            target.write(source.read())
        with open(os.path.join(os.path.dirname(path), "notes.txt"), "w") as file:
            file.write("no picture")
        self.assertEqual([row["path"] for row in self.rows()], [path, foreign])
        self.ask("delete", "1")
        self.assertEqual([row["path"] for row in self.rows()], [foreign])

    def test_verify_names_what_is_wrong(self):
        paths = self.take(3)
        self.assertIn("3 photos are as they were saved", self.ask("verify")[0])
        with open(paths[1], "r+b") as file:
            file.seek(5000)
            file.write(b"\0\1\2\3")
        os.truncate(paths[2], 100)
        out, _ = self.ask("verify", status=1)
        self.assertIn(os.path.basename(paths[1]), out)
        self.assertIn(os.path.basename(paths[2]), out)
        self.assertNotIn(os.path.basename(paths[0]), out)

    def test_copies_that_were_lost_are_named_by_verify_and_made_again_by_the_station(self):
        stick = os.path.join(self.dir, "usb")
        os.mkdir(stick)
        self.write_config(more=f'[copy]\nto = ["{stick}"]')
        paths = self.take(3)
        copies = [os.path.join(stick, *path.split(os.sep)[-2:]) for path in paths]

        def whole():
            return all(os.path.exists(copy) and os.path.getsize(copy) == os.path.getsize(path)
                       for copy, path in zip(copies, paths))
        process = self.start()
        wait_until(whole, "the copies")
        wait_until(lambda: self.status()["library"]["copies"][0]["state"] == "ready", "ready")
        self.assertIn("3 photos are as they were saved", self.ask("verify")[0])
        process.terminate()
        process.wait()
        os.truncate(copies[0], 0)
        os.unlink(copies[1])
        with open(copies[2], "r+b") as file:
            file.seek(5000)
            file.write(b"\0\1\2\3")
        out, error = self.ask("verify", status=1)
        for copy in copies:
            self.assertIn(copy, out)
        self.assertIn("3 copies are not as they were made", error)
        os.unlink(copies[2])
        self.start()
        wait_until(whole, "copies that are made again")
        self.assertIn("3 photos are as they were saved", self.ask("verify")[0])

    def test_a_catalog_that_is_garbage_or_gone_is_made_anew(self):
        paths = self.take(2)
        catalog = os.path.join(self.library, ".retake.catalog")
        def fill():
            with open(catalog, "wb") as file:
                file.write(os.urandom(9000))
        for spoil in (fill, lambda: os.unlink(catalog)):
            for name in (catalog + "-wal", catalog + "-shm"):
                if os.path.exists(name):
                    os.unlink(name)
            spoil()
            self.assertEqual([row["path"] for row in self.rows()], paths[::-1])
            self.assertIn("2 photos", self.ask("rebuild")[0])
            self.ask("verify")

    def test_numbers_are_not_used_again(self):
        self.take(2)
        self.ask("delete", "2", "1")
        self.assertEqual(self.rows(), [])
        self.assertEqual(os.path.basename(self.take(1)[0]), "IMG_00000003.jpg")

    def test_a_mistyped_number_deletes_nothing(self):
        paths = self.take(2)
        self.ask("delete", "1", "7", status=1)
        self.assertEqual(len(self.rows()), 2)
        self.assertTrue(all(os.path.exists(path) for path in paths))

    def test_export_to_a_directory_and_a_zip(self):
        paths = self.take(2)
        folder, archive = os.path.join(self.dir, "out"), os.path.join(self.dir, "out.zip")
        self.ask("export", folder)
        self.ask("export", archive)
        with zipfile.ZipFile(archive) as file:
            self.assertIsNone(file.testzip())
            for path in paths:
                name = os.path.basename(path)
                with open(path, "rb") as original, open(os.path.join(folder, name), "rb") as copy:
                    data = original.read()
                    self.assertEqual(copy.read(), data)
                inside, = [entry for entry in file.namelist() if entry.endswith(name)]
                self.assertEqual(file.read(inside), data)
        # Once more: nothing is replaced, and an archive that is there is refused.
        self.assertIn("2 were there before", self.ask("export", folder)[0])
        result = self.run_retake("photos", "export", archive, "--config", self.config)
        self.assertNotEqual(result.returncode, 0)
        self.assertIn(archive, result.stderr)

    def test_an_event_is_an_album_also_for_a_station_that_runs(self):
        self.take(1)
        self.start()
        self.ask("album", "wedding")
        # The station refuses presses while it opens the album.
        wait_until(lambda: self.trigger("shutter")[0] == 0, "a press that is taken")
        self.wait_for_state("reviewing")
        albums = {row["album"]: row for row in json.loads(self.ask("album", "--json")[0])}
        self.assertEqual(set(albums), {"booth", "wedding"})
        self.assertTrue(albums["wedding"]["isCurrent"])
        for name in ("", "..", "a/b", ".hidden", "x" * 300):
            result = self.run_retake("photos", "album", name, "--config", self.config)
            self.assertNotEqual(result.returncode, 0, name)

    def test_what_is_kept_and_what_was_counted(self):
        paths = self.take(2)
        self.ask("keep", "1")
        self.assertFalse(os.stat(paths[0]).st_mode & 0o222)
        self.ask("keep", "1", "--off")
        self.assertTrue(os.stat(paths[0]).st_mode & 0o200)
        day, = json.loads(self.ask("stats", "--json")[0])["days"]
        self.assertEqual((day["sessions"], day["saved"]), (2, 2))

    def test_who_may_only_read_lists_checks_and_exports(self):
        paths = self.take(2)
        writer = []
        if os.getuid() == 0:
            writer = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
        else:
            for place, _, _ in os.walk(self.library):
                os.chmod(place, 0o555)
                self.addCleanup(os.chmod, place, 0o755)

        def ask(*words):
            return subprocess.run(
                [*writer, RETAKE, "photos", *words, "--config", self.config],
                capture_output=True, text=True, timeout=60, cwd="/")
        listed = ask("list", "--json")
        self.assertEqual(listed.returncode, 0, listed.stderr)
        self.assertEqual([row["path"] for row in json.loads(listed.stdout)], paths[::-1])
        self.assertEqual(ask("verify").returncode, 0)
        for words in (["delete", "1"], ["rebuild"], ["album", "other"], ["keep", "1"]):
            refused = ask(*words)
            self.assertNotEqual(refused.returncode, 0, words)
            self.assertRegex(refused.stderr, "permission|may write|denied", words)
        self.assertTrue(all(os.path.exists(path) for path in paths))
        # The same beside a station, which has the catalog open.
        if writer:
            self.start()
            listed = ask("list", "--json")
            self.assertEqual(listed.returncode, 0, listed.stderr)
            self.assertEqual([row["path"] for row in json.loads(listed.stdout)], paths[::-1])

    def test_copies_are_made_and_deleted_with_the_photo(self):
        stick = os.path.join(self.dir, "stick")
        os.mkdir(stick)
        self.config = self.write_config(more=f'[copy]\nto = ["{stick}"]')
        path, = self.take(1)
        # A station that runs brings them up to date; a single session need not wait for it.
        station = self.start()
        copies = wait_until(
            lambda: [os.path.join(place, name) for place, _, names in os.walk(stick)
                     for name in names if name.endswith(".jpg")], "the copy")
        with open(path, "rb") as original, open(copies[0], "rb") as copy:
            self.assertEqual(original.read(), copy.read())
        station.terminate()
        station.wait()
        self.ask("delete", "1")
        self.assertFalse(os.path.exists(copies[0]))

    def test_no_library(self):
        result = self.run_retake("photos", "show", "1", "--config", self.config)
        self.assertEqual(result.returncode, 5, result.stderr)
        self.assertIn("there is no library", result.stderr)


if __name__ == "__main__":
    unittest.main()
