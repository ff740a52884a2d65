"""Every kind of H.264 file that Retake writes, played by Chromium from the disk."""

import os
import pathlib
import signal
import subprocess
import tempfile
import unittest

import browser
from real_station import RETAKE, RealStation

PLAY = """
const done = arguments[1], video = document.createElement("video");
video.muted = true;
video.onerror = () => done({error: video.error.message});
video.ontimeupdate = () => {
  if (video.currentTime > 0.3) done({
    width: video.videoWidth, height: video.videoHeight, length: video.duration, time: video.currentTime});
};
document.body.replaceChildren(video);
video.src = arguments[0];
video.play().catch(() => {});
"""


class MovieFileTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory(prefix="retake-browser-")
        cls.addClassCleanup(cls.folder.cleanup)
        cls.driver = browser.chromium()
        cls.addClassCleanup(cls.driver.quit)
        page = os.path.join(cls.folder.name, "page.html")
        with open(page, "w") as file:
            file.write("<!doctype html><title>movies</title><body></body>")
        cls.driver.get(f"file://{page}")
        if not cls.driver.execute_script(
                "return document.createElement('video').canPlayType('video/mp4; codecs=avc1.640028')"):
            raise unittest.SkipTest("this Chromium has no H.264")

    def record(self, name, seconds, more="", **options):
        config = os.path.join(self.folder.name, f"{name}.toml")
        with open(config, "w") as file:
            file.write(f'[movie]\ncodec = "h264"\n{more}\n')
        path = os.path.join(self.folder.name, f"{name}.mp4")
        return path, subprocess.Popen(
            [RETAKE, "snap", "--camera", "demo", "--movie", str(seconds), "--config", config, "--output", path,
             "--log", "error"], stdout=subprocess.DEVNULL, **options)

    def assert_plays(self, path, length):
        shown = self.driver.execute_async_script(PLAY, pathlib.Path(path).as_uri())
        self.assertNotIn("error", shown)
        self.assertGreater(shown["height"], shown["width"])
        self.assertGreater(shown["width"], 100)
        if length:
            self.assertAlmostEqual(shown["length"], length, delta=0.3)

    def test_movies(self):
        for preset in ("veryfast", "ultrafast"):
            with self.subTest(preset):
                path, process = self.record(preset, 2, f'preset = "{preset}"')
                self.assertEqual(process.wait(), 0)
                self.assert_plays(path, 2)

    def test_boomerangs(self):
        path, process = self.record("boomerang", 5, "boomerang = 15")
        self.assertEqual(process.wait(), 0)
        self.assert_plays(path, None)

    def test_what_a_cut_leaves(self):
        """The file as it is while it grows: a head and whole fragments, without a table of all."""
        path, process = self.record("cut", 60)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)

        def growing():
            for number in pathlib.Path(f"/proc/{process.pid}/fd").iterdir():
                target = os.readlink(number)
                if target.startswith(self.folder.name) and number.stat().st_size > 300_000:
                    return number
            return None
        data = browser.wait(growing, "some fragments", 60).read_bytes()
        process.send_signal(signal.SIGKILL)
        self.assertIn(b"mvex", data)
        self.assertGreater(data.count(b"moof"), 1)
        self.assertFalse(os.path.exists(path))
        with open(path, "wb") as file:
            file.write(data)
        self.assert_plays(path, None)


class StickTests(unittest.TestCase):
    def test_a_movie_from_elsewhere_is_shown_by_its_first_picture_and_its_length(self):
        folder = tempfile.TemporaryDirectory(prefix="retake-browser-")
        self.addCleanup(folder.cleanup)
        subprocess.run(
            ["ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc=size=180x240:rate=10", "-t", "65", "-pix_fmt",
             "yuv420p", os.path.join(folder.name, "phone.mp4")], check=True)
        station = RealStation(sticks=[folder.name])
        self.addCleanup(station.close)
        station.start()
        driver = browser.chromium()
        self.addCleanup(driver.quit)
        driver.get(station.url + "?language=en")
        browser.wait_screen(driver, "attract")
        station.post("begin", {"source": "photoLibrary", "limit": 1, "movies": True})
        browser.wait_screen(driver, "library")
        tile = browser.wait(
            lambda: driver.find_elements(browser.By.CSS_SELECTOR, ".tile[data-kind=movie]"), "a movie")[0]
        # The look at a movie lies on its tile as a control of its own.
        cell = tile.find_element(browser.By.XPATH, "..")
        self.assertEqual(cell.find_element(browser.By.CSS_SELECTOR, ".length").text, "▶ 1:05")
        browser.wait(lambda: driver.execute_script(
            "const v = arguments[0].querySelector('video'); return v?.videoWidth === 180 && v.readyState >= 2", tile),
            "its first picture")


if __name__ == "__main__":
    unittest.main()
