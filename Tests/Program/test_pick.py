"""`retake pick`: one session of the picker from a script and at a terminal."""

import json
import os
import shutil
import subprocess
import unittest

from station import StationCase, Terminal, wait_until, settle


class Pick(StationCase):
    def setUp(self):
        super().setUp()
        self.stick = os.path.join(self.dir, "stick")
        self.config = self.write_config(roots=[self.stick])

    def write_config(self, roots=(), albums=None, **options):
        # A guest's time to decide: no matter how slow the machine is, it must not run out.
        options.setdefault("review", 300)
        path = super().write_config(**options)
        lines = [f"roots = {json.dumps(list(roots))}"]
        if albums is not None:
            lines.append(f"albums = {json.dumps(albums)}")
        with open(path) as file:
            text = file.read()
        with open(path, "w") as file:
            file.write(text.replace("[socket]", "\n".join(lines) + "\n[socket]"))
        return path

    def pick(self, *arguments, **options):
        options.setdefault("stdin", -3)
        return self.run_retake("pick", "--config", self.config, *arguments, **options)

    def take_photos(self, count):
        paths = []
        for _ in range(count):
            result = self.pick("--source", "camera", "--camera", "demo")
            self.assertEqual(result.returncode, 0, result.stderr)
            paths.append(result.stdout.strip())
        return paths

    def terminal(self, *arguments):
        terminal = Terminal("pick", "--config", self.config, *arguments)
        self.addCleanup(terminal.close)
        return terminal

    # From a script

    def test_the_camera_gives_a_photo_that_is_on_the_disk(self):
        result = self.pick("--source", "camera", "--camera", "demo", "--json")
        self.assertEqual(result.returncode, 0, result.stderr)
        answer = json.loads(result.stdout)
        self.assertEqual(answer["result"], "finished")
        medium = answer["media"][0]
        self.assertEqual(medium["mediaType"], "public.image")
        self.assertEqual(medium["imageURL"], os.path.join(self.library, "booth", "IMG_00000001.jpg"))
        self.assertEqual(self.assert_upright_portrait(medium["imageURL"])[:2], (540, 720))

    def test_an_edit_of_a_photo_is_saved_beside_it(self):
        result = self.pick("--source", "camera", "--camera", "demo", "--edit", "--crop",
                           "16,32,256,320", "--turn", "1", "--json")
        self.assertEqual(result.returncode, 0, result.stderr)
        medium = json.loads(result.stdout)["media"][0]
        self.assertEqual(medium["cropRect"], {"x": 16, "y": 32, "width": 256, "height": 320})
        self.assertEqual(len(self.photos()), 2)
        edited = self.size_of(medium["editedImage"]["path"])
        self.assertEqual(edited, (320, 256))
        self.assertEqual(self.size_of(medium["imageURL"]), (540, 720))

    def test_movies_of_a_stick_are_listed_and_chosen_by_who_asks_for_them(self):
        os.mkdir(self.stick)
        for name in ("phone.MOV", "other.mp4"):
            subprocess.run(
                ["ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc=size=160x240:rate=10", "-t",
                 "2", "-pix_fmt", "yuv420p", os.path.join(self.stick, name)], check=True)
        with open(os.path.join(self.stick, "none.mp4"), "wb") as file:
            file.write(b"no movie at all")
        settle(os.path.join(self.stick, "none.mp4"))
        self.assertEqual(self.pick("--list").stdout, "")
        rows = {row["id"]: row for row in json.loads(
            self.pick("--list", "--media", "movie", "--json").stdout)}
        self.assertEqual(set(rows), {".1/phone.MOV", ".1/other.mp4", ".1/none.mp4"})
        for name in (".1/phone.MOV", ".1/other.mp4"):
            self.assertEqual((rows[name]["kind"], rows[name]["durationMilliseconds"]), ("movie", 2000))
        self.assertNotIn("durationMilliseconds", rows[".1/none.mp4"])
        result = self.pick("--media", "movie", "--select", ".1/phone.MOV", "--json")
        self.assertEqual(result.returncode, 0, result.stderr)
        (medium,) = json.loads(result.stdout)["media"]
        self.assertEqual((medium["mediaType"], medium["mediaURL"]),
                         ("public.movie", os.path.join(self.stick, "phone.MOV")))
        for arguments in (("--select", ".1/phone.MOV"),
                          ("--media", "movie", "--select", ".1/none.mp4")):
            self.assertNotEqual(self.pick(*arguments).returncode, 0, arguments)

    def test_chosen_pictures_come_in_the_order_chosen(self):
        paths = self.take_photos(2)
        os.mkdir(self.stick)
        foreign = shutil.copy(paths[0], os.path.join(self.stick, "guest.JPG"))
        listed = self.pick("--list").stdout.split()
        self.assertEqual(set(listed), {
            "booth/IMG_00000001.jpg", "booth/IMG_00000002.jpg", ".1/guest.JPG"})
        result = self.pick("--limit", "0", "--select",
                           f".1/guest.JPG,{paths[1]},booth/IMG_00000001.jpg")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(result.stdout.split(), [foreign, paths[1], paths[0]])
        saved = self.pick("--source", "saved", "--list").stdout.split()
        self.assertEqual(saved, ["booth/IMG_00000002.jpg", "booth/IMG_00000001.jpg"])
        newest = self.pick("--source", "saved", "--select", "newest")
        self.assertEqual(newest.stdout.strip(), paths[1])

    def test_a_name_with_a_comma_can_be_chosen_as_it_is_listed(self):
        path, = self.take_photos(1)
        os.mkdir(self.stick)
        os.mkdir(os.path.join(self.stick, "a"))
        files = [shutil.copy(path, os.path.join(self.stick, name))
                 for name in ("a,b.jpg", "a/,c.jpg", "\u00e9.jpg", "e\u0301.jpg")]
        listed = [line for line in self.pick("--list").stdout.splitlines() if line.startswith(".1")]
        self.assertEqual(set(listed), {
            ".1/a\\u{2C}b.jpg", ".1/a/\\u{2C}c.jpg", ".1/\u00e9.jpg", ".1/e\u0301.jpg"})
        result = self.pick("--limit", "0", "--select", ",".join(listed))
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(set(result.stdout.splitlines()), set(files))

    def test_a_script_gets_all_that_it_chose_or_none_and_the_name_of_the_one_that_failed(self):
        path, = self.take_photos(1)
        os.mkdir(self.stick)
        with open(path, "rb") as file:
            picture = file.read()
        for name, data in (("text.jpg", b"no picture at all" * 40),
                           ("cut.jpg", picture[:len(picture) // 2])):
            with open(os.path.join(self.stick, name), "wb") as file:
                file.write(data)
            settle(os.path.join(self.stick, name))
        good = "booth/IMG_00000001.jpg"
        self.assertEqual(
            self.pick("--limit", "0", "--select", f"{good},{good}").stdout.split(), [path, path])
        # Some runs each: what is let go of at the same time must not change the choice.
        for name in (".1/text.jpg", ".1/cut.jpg"):
            for choice in (name, f"{good},{name}", f"{name},{good}"):
                for _ in range(2):
                    result = self.pick("--limit", "0", "--select", choice)
                    self.assertEqual((result.returncode, result.stdout), (5, ""), choice)
                    self.assertIn(name, result.stderr)
                    self.assertEqual(result.stderr.count(name), 1, "it is said once")

    def test_an_edit_of_a_chosen_picture_leaves_it_as_it_is(self):
        path, = self.take_photos(1)
        with open(path, "rb") as file:
            before = file.read()
        result = self.pick("--select", "newest", "--edit", "--turn", "3", "--output", self.dir,
                           "--json")
        self.assertEqual(result.returncode, 0, result.stderr)
        medium = json.loads(result.stdout)["media"][0]
        self.assertNotIn("cropRect", medium)
        self.assertEqual(self.size_of(medium["editedImage"]["path"]), (720, 540))
        with open(path, "rb") as file:
            self.assertEqual(file.read(), before)
        self.assertEqual(os.listdir(os.path.dirname(path)), ["IMG_00000001.jpg"])

    def test_a_library_is_shown_beside_a_running_station(self):
        self.take_photos(1)
        self.start()
        result = self.pick("--select", "newest")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertTrue(result.stdout.strip().endswith("/booth/IMG_00000001.jpg"))

    def test_only_named_albums_are_shown(self):
        self.take_photos(1)
        os.makedirs(os.path.join(self.library, "private"))
        shutil.copy(os.path.join(self.library, "booth/IMG_00000001.jpg"),
                    os.path.join(self.library, "private/secret.jpg"))
        self.assertIn("private/secret.jpg", self.pick("--list").stdout)
        self.config = self.write_config(albums=["booth"])
        self.assertEqual(self.pick("--list").stdout.split(), ["booth/IMG_00000001.jpg"])
        self.assertEqual(self.pick("--select", "private/secret.jpg").returncode, 1)
        self.config = self.write_config(albums=["private"])
        saved = self.pick("--source", "saved", "--select", "newest")
        self.assertNotEqual(saved.returncode, 0)
        self.assertIn("albums", saved.stderr)

    # Requests that are refused

    def test_words_that_mean_nothing_are_refused(self):
        for arguments in (["--source", "moon"], ["--limit", "-1"], ["--limit", "x"],
                          ["--select", ","], ["--crop", "1,2,3"], ["--turn", "9"],
                          ["--turn", "1", "--select", "newest"], [],
                          ["--source", "camera", "--select", "newest"],
                          ["--select", "a,b"], ["--edit", "--select", "newest"],
                          ["--camera", "demo", "--select", "newest"]):
            with self.subTest(arguments):
                result = self.pick(*arguments)
                self.assertEqual(result.returncode, 2, result.stderr)
                self.assertEqual(result.stdout, "")

    def test_what_is_not_there_is_not_chosen(self):
        self.take_photos(1)
        for word in ("booth/IMG_00000009.jpg", "../../etc/passwd", "/etc/passwd", ".1/a.jpg",
                     "newest,newest"):
            with self.subTest(word):
                self.assertEqual(self.pick("--limit", "0", "--select", word).returncode, 1)

    def test_a_library_that_is_not_there_says_so(self):
        result = self.pick("--select", "newest", "--json")
        self.assertEqual(result.returncode, 5, result.stderr)
        self.assertIn(self.library, result.stderr)

    def test_a_hostile_picture_fails_its_own_session_only(self):
        path, = self.take_photos(1)
        os.mkdir(self.stick)
        with open(os.path.join(self.stick, "bomb.jpg"), "wb") as file:
            file.write(bytes([0xFF, 0xD8, 0xFF, 0xC0, 0, 11, 8, 255, 255, 255, 255, 1, 1, 17, 0]))
        result = self.pick("--select", ".1/bomb.jpg", "--json")
        self.assertNotEqual(result.returncode, 0)
        self.assertIn("bomb.jpg", result.stderr)
        self.assertEqual(self.pick("--select", "newest", "--source", "saved").stdout.strip(), path)

    def test_a_camera_that_is_not_there_ends_with_its_status(self):
        result = self.pick("--source", "camera", "--camera", "/dev/video99")
        self.assertEqual(result.returncode, 3, result.stderr)

    # At a terminal

    def test_keys_take_and_accept_a_photo(self):
        terminal = self.terminal("--source", "camera", "--camera", "demo")
        terminal.read_until("Space: photo")
        terminal.press(" ")
        terminal.read_until("a: accept")

        def accepted():
            terminal.press("a")
            return self.photos()
        wait_until(accepted, "the photo")
        self.assertEqual(terminal.wait(), 0)

    def test_a_cancel_key_ends_with_one_and_leaves_nothing(self):
        for key in ("c", "q", "\x1b", "\x04", "\x03"):
            with self.subTest(repr(key)):
                terminal = self.terminal("--source", "camera", "--camera", "demo")
                terminal.read_until("Space: photo")
                terminal.press(key)
                self.assertEqual(terminal.wait(), 1)
                self.assertEqual(self.photos(), [])

    def test_pictures_are_chosen_by_number_and_arrows(self):
        paths = self.take_photos(3)
        terminal = self.terminal("--limit", "2")
        terminal.read_until("0 chosen")
        terminal.press("3")
        terminal.read_until("1 chosen")
        terminal.press("\x1b[A\x1b[A ")
        terminal.read_until("2 chosen")
        terminal.press("\r")
        terminal.read_until(paths[0])
        terminal.read_until(paths[2])
        self.assertEqual(terminal.wait(), 0)

    def test_a_chosen_picture_is_turned_at_the_terminal(self):
        path, = self.take_photos(1)
        terminal = self.terminal("--edit", "--output", self.dir)
        terminal.read_until("0 chosen")
        terminal.press("e")
        terminal.read_until("turned by 0")
        terminal.press("t")
        terminal.read_until("turned by 90")
        terminal.press("\r")
        terminal.read_until("1 chosen")
        terminal.press("\r")
        terminal.read_until(path)
        self.assertEqual(terminal.wait(), 0)
        self.assertEqual(self.size_of(os.path.join(self.dir, "IMG_00000001-edited.jpg")), (720, 540))

    def test_a_long_library_is_shown_page_by_page(self):
        path, = self.take_photos(1)
        for number in range(2, 21):
            shutil.copy(path, os.path.join(self.library, "booth", f"IMG_000000{number:02}.jpg"))
        terminal = self.terminal()
        terminal.read_until("IMG_00000020.jpg")
        terminal.read_until("20 pictures")
        terminal.press("n")
        terminal.read_until("IMG_00000011.jpg")
        terminal.read_until("20 pictures")
        terminal.press("1")
        terminal.read_until("1 chosen")
        terminal.press("\r")
        terminal.read_until("/booth/IMG_00000011.jpg")
        self.assertEqual(terminal.wait(), 0)

    def size_of(self, path):
        from PIL import Image
        with Image.open(path) as image:
            image.load()
            return image.size


if __name__ == "__main__":
    unittest.main()
