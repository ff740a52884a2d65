"""`retake still`: files and raw dumps in, upright stills out, and what it refuses."""

import json
import os
import subprocess
import unittest

from PIL import Image

from station import RETAKE, StationCase


class Still(StationCase):
    def path(self, name):
        return os.path.join(self.dir, name)

    def picture(self, name, size=(320, 240), mode="RGB", **options):
        image = Image.linear_gradient("L").resize(size).convert(mode)
        path = self.path(name)
        image.save(path, **options)
        return path

    def still(self, source, *arguments, output="out.jpg"):
        return self.run_retake("still", source, "--output", self.path(output), *arguments)

    def report(self, source, *arguments):
        result = self.still(source, "--json", *arguments)
        self.assertEqual(result.returncode, 0, result.stderr)
        return json.loads(result.stdout)

    def assert_refused(self, result, *words):
        self.assertEqual((result.returncode, result.stdout), (2, ""), result.stderr)
        self.assertEqual(len(result.stderr.strip().split("\n")), 1, result.stderr)
        self.assertTrue(result.stderr.startswith("retake: "), result.stderr)
        for word in words:
            self.assertIn(word, result.stderr)
        left = [name for name in os.listdir(self.dir) if "out" in name]
        self.assertEqual(left, [])

    def test_a_portrait_by_default(self):
        result = self.still(self.picture("in.jpg"))
        self.assertEqual(result.stdout.strip(), os.path.realpath(self.path("out.jpg")))
        self.assert_upright_portrait(self.path("out.jpg"))

    def test_the_report_says_what_was_done(self):
        report = self.report(
            self.picture("in.jpg", (325, 245), subsampling=2), "--mount", "90", "--enforce", "off",
            "--mirror", "saved")
        self.assertEqual((report["width"], report["height"]), (245, 325))
        self.assertEqual((report["turns"], report["isMirrored"]), (1, True))
        self.assertTrue(report["isLossless"])
        report = self.report(self.path("in.jpg"), "--mount", "90", "--enforce", "off")
        self.assertEqual((report["width"], report["height"]), (240, 325))
        self.assertEqual((report["trimmedColumns"], report["trimmedRows"]), (0, 5))
        self.assertEqual(report["bytes"], os.path.getsize(report["path"]))

    def test_the_start_loads_nothing_that_only_a_station_needs(self):
        # The libraries that the linker loads before the program begins; each would load many more.
        listed = subprocess.run(["ldd", RETAKE], capture_output=True, text=True, check=True).stdout
        self.assertIn("libjpeg", listed)
        for name in ("archive", "avcodec", "gnutls", "icu", "microhttpd", "sqlite3", "systemd", "xml2"):
            self.assertNotIn(f"lib{name}", listed)

    def test_exact_keeps_every_pixel(self):
        source = self.picture("in.jpg", (325, 245), subsampling=2)
        exact = ["--mount", "180", "--enforce", "off"]
        report = self.report(source, *exact, "--exact")
        self.assertEqual((report["width"], report["height"]), (325, 245))
        self.assertFalse(report["isLossless"])
        with open(self.path("exact.toml"), "w") as file:
            file.write("[orientation]\nexact = true\n")
        configured = self.report(source, *exact, "--config", self.path("exact.toml"))
        self.assertEqual(configured, report)

    def test_a_crop_is_in_pixels_of_the_upright_picture(self):
        source = self.picture("in.jpg", (320, 240), "L")
        report = self.report(
            source, "--mount", "90", "--mirror", "none", "--crop", "16,32,120,160")
        self.assertEqual((report["width"], report["height"]), (120, 160))
        # Clockwise, x runs from the source's bottom up and y from its left.
        self.assertEqual(report["crop"], "32,104,160,120")
        self.assertTrue(report["isLossless"])

    def test_raw_dumps(self):
        with open(self.path("in.raw"), "wb") as file:
            file.write(bytes([235, 128, 16, 128]) * (160 * 240))
        report = self.report(self.path("in.raw"), "--raw", "YUYV:320x240", "--enforce", "off")
        self.assertEqual((report["width"], report["height"]), (320, 240))
        with Image.open(report["path"]) as image:
            self.assertGreater(image.getpixel((100, 100))[0], 245)
            self.assertLess(image.getpixel((101, 100))[0], 10)

    def test_the_metadata_is_sound(self):
        for mode in ("RGB", "L"):
            report = self.report(self.picture("in.jpg", mode=mode))
            validated = subprocess.run(
                ["exiftool", "-validate", "-warning", "-a", "-Orientation#", report["path"]],
                capture_output=True, text=True).stdout
            self.assertIn(": OK", validated)
            self.assertIn("Orientation                     : 1", validated)

    def test_what_is_no_picture(self):
        for name, data in (("text.jpg", b"no picture\n" * 99), ("empty.jpg", b"")):
            with open(self.path(name), "wb") as file:
                file.write(data)
            self.assert_refused(self.still(self.path(name)), name)
        self.assert_refused(self.still(self.path("none.jpg")), "none.jpg")
        self.assert_refused(self.still(self.dir), self.dir)

    def test_what_is_damaged(self):
        source = self.picture("in.jpg", quality=95)
        with open(source, "rb") as file:
            data = file.read()
        for name, part in (("cut.jpg", data[:len(data) // 2]),
                           ("hole.jpg", data[:1200] + data[1600:])):
            with open(self.path(name), "wb") as file:
                file.write(part)
            self.assert_refused(self.still(self.path(name)), name)

    def test_another_kind_than_the_name_says(self):
        os.rename(self.picture("a.png"), self.path("png.jpg"))
        os.rename(self.picture("a.jpg"), self.path("jpeg.png"))
        self.assert_refused(self.still(self.path("png.jpg")), "PNG", "rename")
        self.assert_refused(self.still(self.path("jpeg.png")), "JPEG", "rename")
        os.rename(self.path("jpeg.png"), self.path("jpeg.gif"))
        self.assert_refused(self.still(self.path("jpeg.gif")), "JPEG", "rename")

    def test_crops_outside_the_picture(self):
        source = self.picture("in.jpg")
        for crop in ("0,0,321,240", "300,0,21,1", "0,240,1,1", "65535,65535,65535,65535"):
            self.assert_refused(self.still(source, "--crop", crop), "outside", "320x240")
        for crop in ("0,0,0,1", "1,2,3", "a,b,c,d", "-1,0,5,5", "1,1,1,99999999999999999999"):
            self.assert_refused(self.still(source, f"--crop={crop}"), "--crop")

    def test_impossible_raw_sizes(self):
        with open(self.path("in.raw"), "wb") as file:
            file.write(bytes(640 * 480 * 2))
        for raw in ("YUYV:641x480", "YUYV:1920x1080", "NV12:320x240", "WXYZ:640x480",
                    "YUYV:65535x65535"):
            self.assert_refused(self.still(self.path("in.raw"), "--raw", raw), "in.raw")
        for raw in ("YUYV", "YUYV:0x0", "YUYV:70000x1", "YUYV:-1x2", ":640x480"):
            self.assert_refused(self.still(self.path("in.raw"), "--raw", raw), "--raw")

    def test_words_that_are_none(self):
        source = self.picture("in.jpg")
        for option, value in (("--mount", "45"), ("--mount", "left"), ("--mirror", "yes"),
                              ("--enforce", "square"), ("--method", "turn"), ("--aspect", "1:1")):
            self.assert_refused(self.still(source, option, value), option, value)
        result = self.run_retake("still", source)
        self.assertEqual((result.returncode, result.stdout), (2, ""))
        self.assertIn("--output", result.stderr)


if __name__ == "__main__":
    unittest.main()
