"""The program itself with the demo camera, and a guest at its page."""

import io
import os
import subprocess
import tempfile
import time
import unittest
import urllib.parse

from selenium.webdriver import ActionChains

import browser
from browser import By, Keys
from real_station import RealStation


class SessionCase(unittest.TestCase):
    options = {}

    @classmethod
    def setUpClass(cls):
        cls.station = RealStation(**cls.options)
        cls.addClassCleanup(cls.station.close)
        cls.station.start()
        cls.driver = browser.chromium(size=(1280, 800))
        cls.addClassCleanup(cls.driver.quit)

    def setUp(self):
        if not self.station.process:
            self.station.start()
        self.station.post("cancel")
        self.station.wait_for(lambda state: self.station.post("cancel") and state["state"] == "idle"
                              or state["state"] == "idle", "idle")
        self.driver.get(self.station.url + "?language=en")
        self.screen("attract")

    def screen(self, name, seconds=20):
        browser.wait_screen(self.driver, name, seconds)

    def keys(self, *names):
        ActionChains(self.driver).send_keys(*names).perform()

    def armed(self):
        browser.wait(lambda: self.driver.execute_script(
            "return document.body.dataset.screen === 'review'"
            " && !document.getElementById('accept').hasAttribute('aria-disabled')"), "a review on show")

    def live(self):
        self.driver.execute_script("delete document.getElementById('preview').dataset.frame")
        browser.wait(lambda: self.driver.execute_script(
            "return document.getElementById('preview').dataset.frame"), "a live picture")


class OperatorTests(SessionCase):
    """The operator's view of the program itself."""
    options = {"web": 'pin = "2468"'}

    def press(self, selector):
        time.sleep(0.8)
        self.driver.execute_script("document.querySelector(arguments[0]).click()", selector)

    def test_an_operator_looks_tries_and_deletes(self):
        self.station.take()
        title = self.driver.find_element(By.ID, "attract-title")
        ActionChains(self.driver).click_and_hold(title).pause(3.3).release().perform()
        shown = lambda selector: lambda: self.driver.execute_script(
            "return document.querySelector(arguments[0])?.checkVisibility()", selector)
        browser.wait(shown(".pad"), "the pad")
        time.sleep(0.8)
        self.keys("2468", Keys.ENTER)
        browser.wait(shown(".facts dd"), "the report")
        facts = self.driver.find_element(By.CSS_SELECTOR, ".facts").text
        self.assertRegex(facts, r"\d+(\.\d)? [MGT]B, about [\d,]+ photos?")
        self.assertRegex(facts, r"[\d.]+ pictures per second")
        self.press(".report .deeds .choice")
        browser.wait(shown(".framing svg"), "the test shot")
        self.press(".test .deeds .choice")
        self.press(".report .deeds .choice:nth-child(2)")
        browser.wait(shown(".photos .tile"), "the photos")
        before = len(self.station.photos())
        self.press(".photos .tile")
        self.press(".photo .deeds .choice:nth-child(2)")
        self.press(".sure .accept")
        browser.wait(lambda: len(self.station.photos()) == before - 1, "the deletion")
        self.press(".photos .deeds .choice")
        self.press(".report .deeds .choice:nth-child(4)")
        self.press(".sure .accept")
        browser.wait(lambda: "service" in self.driver.find_element(By.CSS_SELECTOR, ".word").text, "the refusal")
        self.assertEqual(browser.console_errors(self.driver), [])


class GuestTests(SessionCase):
    def test_the_keyboard_alone_completes_a_session(self):
        before = len(self.station.photos())
        self.keys(Keys.SPACE)
        self.screen("countdown")
        self.armed()
        self.keys("r")
        self.screen("countdown")
        self.armed()
        self.keys(Keys.ENTER)
        self.screen("saved")
        self.assertEqual(len(self.station.photos()), before + 1)

    def test_tab_and_enter_alone_complete_a_session(self):
        before = len(self.station.photos())
        # The middle of the page may be a control.
        self.driver.find_element(By.ID, "attract-title").click()
        for _ in range(12):
            if self.driver.execute_script("return document.activeElement.dataset.command") == "shutter":
                break
            self.keys(Keys.TAB)
        self.keys(Keys.ENTER)
        self.armed()
        self.assertEqual(self.driver.execute_script("return document.activeElement.id"), "accept")
        self.keys(Keys.ARROW_DOWN, Keys.ARROW_UP, Keys.ENTER)
        self.screen("saved")
        self.assertEqual(len(self.station.photos()), before + 1)

    def test_touches_take_refuse_and_keep_a_photo(self):
        before = len(self.station.photos())
        click = lambda selector: self.driver.find_element(By.CSS_SELECTOR, selector).click()
        click(".attract .shutter")
        self.armed()
        click(".review [data-command=cancel]")
        self.screen("cancelled")
        self.screen("attract")
        self.assertEqual(len(self.station.photos()), before)
        click(".attract .shutter")
        self.armed()
        click("#accept")
        self.screen("saved")
        self.assertEqual(len(self.station.photos()), before + 1)

    def test_the_review_shows_the_very_bytes_that_are_saved(self):
        self.keys(Keys.SPACE)
        self.armed()
        source = urllib.parse.urlsplit(self.driver.find_element(By.ID, "still-image").get_attribute("src"))
        reviewed = self.station.get(f"{source.path}?{source.query}")
        self.keys(Keys.ENTER)
        self.screen("saved")
        photo = self.station.photos()[0]
        saved = self.station.get(f"/api/v1/photos/{urllib.parse.quote(photo['id'], safe='')}/original")
        from PIL import Image, ImageChops
        one, two = Image.open(io.BytesIO(reviewed)), Image.open(io.BytesIO(saved))
        self.assertEqual(one.size, two.size)
        self.assertIsNone(ImageChops.difference(one.convert("RGB"), two.convert("RGB")).getbbox())

    def test_the_live_picture_is_cut_as_the_photo_but_for_the_mirror(self):
        """The demo camera's frame number, twelve cells along the top, is in the same place in both."""
        self.live()
        cells = self.driver.execute_script("""
            const canvas = document.getElementById("preview");
            const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext("2d");
            copy.drawImage(canvas, 0, 0);
            const scale = canvas.width / 540, at = (x, y) => copy.getImageData(x * scale, y * scale, 1, 1).data[0];
            return [at(60, 16), at(480, 16), [...Array(12).keys()].map((cell) => at(270 - 192 + cell * 32 + 16, 16))];""")
        left, right, inside = cells
        for value in inside:
            self.assertTrue(value < 60 or value > 190, f"a cell is neither black nor white: {inside}")
        self.assertTrue(60 <= left <= 190 or 60 <= right <= 190 or left != right, cells)

    def test_the_library_is_browsed_cropped_and_left(self):
        self.station.take(2)
        self.station.post("begin", {"source": "photoLibrary", "limit": 2, "edit": True})
        self.screen("library")
        browser.wait(lambda: len(self.driver.find_elements(By.CSS_SELECTOR, ".tile")) >= 2, "the grid")
        self.driver.find_elements(By.CSS_SELECTOR, ".tile")[1].click()
        browser.wait(lambda: self.station.state()["selection"], "a choice")
        self.driver.find_element(By.ID, "library-edit").click()
        self.screen("editor")
        browser.wait(lambda: self.driver.find_element(By.ID, "crop").is_displayed(), "the box")
        self.keys("+", "+", Keys.ENTER)
        self.screen("library")
        self.keys(Keys.ESCAPE)
        self.screen("cancelled")

    def test_chosen_photos_are_handed_over(self):
        self.station.take(2)
        self.station.post("begin", {"source": "photoLibrary", "limit": 2, "edit": False})
        self.screen("library")
        tiles = browser.wait(lambda: self.driver.find_elements(By.CSS_SELECTOR, ".tile"), "the grid")
        for tile in tiles[:2]:
            tile.click()
            browser.wait(lambda: tile.get_attribute("aria-pressed") == "true", "a choice")
        self.driver.find_element(By.ID, "library-use").click()
        self.screen("saved")

    def test_the_first_live_picture_comes_within_a_second(self):
        """Measures the time from the request for the page to the first drawn frame, by the page's own clock."""
        times = []
        for _ in range(3):
            self.driver.get(self.station.url + "?language=en")
            times.append(int(browser.wait(lambda: self.driver.execute_script(
                "return document.getElementById('preview').dataset.first"), "a frame")))
        print(f"first live picture after {sorted(times)} ms", flush=True)
        # On a machine that does nothing else it is a quarter of that.
        self.assertLess(min(times), 1000 * browser.PATIENCE)


class CopiedMovieTests(SessionCase):
    """Movies of the camera's own pictures, which Chromium does not play: the page shows them itself."""
    options = {"review": 30, "more": '[movie]\ncodec = "copy"\nmaximum = 4\n'}

    def test_a_movie_of_jpeg_pictures_is_shown_picture_by_picture(self):
        browser.wait(lambda: self.driver.find_element(By.ID, "record").is_displayed(), "the record button", 40)
        self.keys("m")
        self.screen("recording")
        browser.wait(lambda: self.driver.find_element(By.ID, "elapsed").text[:4] == "0:01", "a second")
        self.keys(Keys.SPACE)
        self.armed()
        facts = lambda: self.driver.execute_script(
            "const c = document.getElementById('still-pictures'), s = c.getContext('2d').getImageData(0, 0, c.width,"
            " c.height).data; let bright = 0; for (let i = 0; i < s.length; i += 4) bright += s[i] > 40;"
            "return {shown: !c.hidden && c.checkVisibility(), picture: Number(c.dataset.picture), width: c.width,"
            " height: c.height, bright: bright * 4 / s.length, words: c.getAttribute('aria-label'),"
            " video: !document.getElementById('still-movie').hidden, dumb: !document.getElementById('still-dumb').hidden}")
        first = facts()
        self.assertTrue(first["shown"] and not first["video"] and not first["dumb"], first)
        self.assertEqual(first["words"], "Your video")
        self.assertGreater(first["height"], first["width"])
        self.assertGreater(first["bright"], 0.05)
        last = [0]

        def again():
            picture, last[0] = last[0], facts()["picture"]
            return last[0] < picture
        browser.wait(again, "the movie begins again", 60)
        before = len(self.station.photos())
        self.keys(Keys.ENTER)
        self.screen("saved")
        browser.wait(lambda: len(self.station.photos()) == before + 1, "the movie in the list")
        self.assertEqual(self.station.photos()[0]["kind"], "movie")
        self.assertEqual(browser.console_errors(self.driver), [])


class MovieTests(SessionCase):
    """Recording at the page, with the demo camera and whatever encoder this machine has."""
    options = {"review": 30, "more": "[movie]\nmaximum = 4\n"}

    def setUp(self):
        super().setUp()
        browser.wait(lambda: self.find("#record").is_displayed(), "the record button", 40)

    def find(self, selector):
        return self.driver.find_element(By.CSS_SELECTOR, selector)

    def playing(self):
        """The movie under review: its own size and length, once it moves and has begun again."""
        self.armed()
        facts = lambda: self.driver.execute_script(
            "const v = document.getElementById('still-movie');"
            "return v.hidden ? null : {time: v.currentTime, length: v.duration, loop: v.loop, paused: v.paused,"
            " width: v.videoWidth, height: v.videoHeight, source: v.src}")
        browser.wait(lambda: facts() and facts()["time"] > 0.2, "the movie moves")
        last = [0]

        def again():
            time, last[0] = last[0], facts()["time"]
            return last[0] < time
        browser.wait(again, "the movie begins again", 30)
        return facts()

    def test_the_keyboard_alone_records_a_movie(self):
        before = len(self.station.photos())
        self.keys("m")
        self.screen("recording")
        self.live()
        elapsed = lambda: self.find("#elapsed").text
        first = browser.wait(elapsed, "the time")
        self.assertRegex(first, r"^0:0\d / 0:04$")
        browser.wait(lambda: elapsed() != first, "the time runs")
        turned = self.driver.execute_script(
            "return new DOMMatrix(getComputedStyle(document.querySelector('.half > i')).transform).b")
        self.assertNotEqual(turned, 0, "the ring does not fill")
        self.keys(Keys.SPACE)
        movie = self.playing()
        self.assertTrue(movie["loop"] and not movie["paused"])
        self.assertGreater(movie["height"], movie["width"])
        self.assertIn("Keep video", self.find(".review").text)
        self.assertIn("Deleted in", self.find(".review").text)
        self.assertEqual(len(self.station.photos()), before)
        self.keys(Keys.ENTER)
        self.screen("saved")
        self.assertEqual(self.find("#saved-title").text, "Your video is saved!")
        # The list may be a second old.
        browser.wait(lambda: len(self.station.photos()) == before + 1, "the movie in the list")
        self.assertEqual(self.station.photos()[0]["kind"], "movie")
        self.assertEqual(browser.console_errors(self.driver), [])

    def test_touches_record_again_and_keep_a_movie_that_the_library_shows(self):
        before = len(self.station.photos())
        self.find("#record").click()
        self.screen("recording")
        self.find(".stop").click()
        self.armed()
        self.find(".review [data-command=retake]").click()
        self.screen("attract")
        self.assertEqual(self.station.state()["state"], "live")
        browser.wait(lambda: self.find("#record").is_displayed(), "the record button")
        time.sleep(0.85)
        self.find("#record").click()
        self.screen("recording")
        # The recording ends at its maximum duration.
        self.armed()
        self.find("#accept").click()
        self.screen("saved")
        browser.wait(lambda: len(self.station.photos()) == before + 1
                     and self.station.photos()[0].get("durationMs"), "the movie in the list, and its length")
        self.station.post("cancel")
        self.screen("attract")
        self.station.post("begin", {"source": "photoLibrary", "limit": 1, "movies": True})
        self.screen("library")
        tile = browser.wait(lambda: self.driver.find_elements(By.CSS_SELECTOR, ".tile[data-kind=movie]"), "a movie")[0]
        self.assertRegex(self.driver.execute_script(
            "return arguments[0].parentElement.querySelector('.length').textContent", tile), r"^▶ 0:0\d$")
        browser.wait(lambda: self.driver.execute_script(
            "return arguments[0].querySelector('img').naturalWidth > 0", tile), "its picture")
        tile.click()
        browser.wait(lambda: tile.get_attribute("aria-pressed") == "true", "a choice")
        self.find("#library-use").click()
        self.screen("saved")
        self.station.post("cancel")
        self.screen("attract")
        self.station.take(1)
        self.station.post("begin", {"source": "photoLibrary", "limit": 1})
        self.screen("library")
        browser.wait(lambda: self.driver.find_elements(By.CSS_SELECTOR, ".tile"), "the grid")
        self.assertEqual(self.driver.find_elements(By.CSS_SELECTOR, ".tile[data-kind=movie]"), [])

    def test_a_movie_that_is_cancelled_is_nowhere(self):
        before = len(self.station.photos())
        self.keys("m")
        self.screen("recording")
        self.keys(Keys.ESCAPE)
        self.screen("cancelled")
        self.screen("attract")
        self.assertEqual(len(self.station.photos()), before)


class RestartTests(SessionCase):
    options = {"countdown": 2, "review": 30}

    def reach(self, name):
        if name == "countdown":
            self.keys(Keys.SPACE)
        elif name in ("review", "saved", "cancelled"):
            self.keys(Keys.SPACE)
            self.armed()
            if name != "review":
                self.keys(Keys.ENTER if name == "saved" else Keys.ESCAPE)
        elif name in ("library", "editor"):
            self.station.post("begin", {"source": "photoLibrary", "limit": 2, "edit": True})
            self.screen("library")
            browser.wait(lambda: self.driver.find_elements(By.CSS_SELECTOR, ".tile"), "the grid")
            if name == "editor":
                self.driver.find_element(By.CSS_SELECTOR, ".tile").click()
                browser.wait(lambda: self.driver.find_element(By.ID, "library-edit").is_displayed(), "the choice")
                self.driver.find_element(By.ID, "library-edit").click()
        self.screen(name)

    def test_a_killed_and_restarted_station_in_the_middle_of_each_screen(self):
        self.station.take(1)
        self.driver.execute_script("window.same = true")
        for name in ("attract", "countdown", "review", "saved", "cancelled", "library", "editor"):
            with self.subTest(screen=name):
                self.reach(name)
                before = len(self.station.photos())
                self.station.kill()
                self.screen("trouble", 5)
                self.station.start()
                self.screen("attract", 10)
                self.live()
                self.assertEqual(len(self.station.photos()), before)
                # And the booth works.
                self.keys(Keys.SPACE)
                self.screen("countdown")
                self.keys(Keys.ESCAPE)
                self.screen("cancelled")
                self.station.post("cancel")
                self.screen("attract")
        self.assertTrue(self.driver.execute_script("return window.same"), "the page was reloaded")


class UnpluggedTests(unittest.TestCase):
    screen, keys, live = SessionCase.screen, SessionCase.keys, SessionCase.live

    def test_an_unplugged_camera_is_said_in_the_guests_words_until_it_is_plugged_again(self):
        station = self.station = RealStation(web='pin = "2468"')
        self.addCleanup(station.close)
        station.start()
        self.driver = browser.chromium(size=(1280, 800))
        self.addCleanup(self.driver.quit)
        self.driver.get(station.url + "?language=en")
        self.screen("attract")
        self.live()
        # The demo camera has no cable: it goes by the configuration, as a camera goes by its node.
        station.reload(camera="/dev/v4l/by-id/usb-Retake_Not_There-video-index0")
        self.screen("trouble")
        text = self.driver.find_element(By.CSS_SELECTOR, "[data-screen=trouble]").text
        self.assertIn("The camera isn’t ready. Please ask for help.", text)
        self.assertIn("Looking for the camera", text)
        self.assertNotIn("/dev/", text)
        # The operator's view: behind a long press and the PIN.
        staff = self.driver.find_element(By.CSS_SELECTOR, ".staff")
        ActionChains(self.driver).click_and_hold(staff).pause(1.5).release().perform()
        browser.wait(lambda: self.driver.find_element(By.ID, "pin").is_displayed(), "the PIN pad")
        self.keys("2468", Keys.ENTER)
        view = self.driver.find_element(By.ID, "operator-view")
        browser.wait(lambda: view.is_displayed() and "usb-Retake_Not_There" in view.text, "reason and fix")
        self.driver.find_element(By.CSS_SELECTOR, "#operator [data-close]").click()
        self.station.reload(camera="demo")
        self.screen("attract")
        self.live()


class DiskFullTests(unittest.TestCase):
    def test_a_full_disk_is_said_before_the_countdown_and_ends_when_there_is_room(self):
        disk = tempfile.mkdtemp(prefix="retake-disk-")
        self.addCleanup(os.rmdir, disk)
        if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=24m", "tmpfs", disk],
                          capture_output=True).returncode != 0:
            self.disk_by_reserve()
            return
        self.addCleanup(subprocess.run, ["umount", "-l", disk])
        station = RealStation(library=os.path.join(disk, "photos"), reserve="2 MB")
        self.addCleanup(station.close)
        station.start()
        filler = os.path.join(disk, "filler")

        def fill():
            with open(filler, "wb") as file:
                try:
                    while True:
                        file.write(bytes(65536))
                        file.flush()
                except OSError:
                    pass
        self.judge(station, fill, lambda: os.remove(filler))

    def disk_by_reserve(self):
        """Where nobody may mount: a reserve that no disk has."""
        station = RealStation()
        self.addCleanup(station.close)
        station.start()
        self.judge(station, lambda: station.reload(reserve="400 TB"), lambda: station.reload(reserve=None))

    def judge(self, station, fill, free):
        driver = browser.chromium(size=(1280, 800))
        self.addCleanup(driver.quit)
        station.take(1)
        driver.get(station.url + "?language=de")
        browser.wait_screen(driver, "attract")
        fill()
        browser.wait_screen(driver, "trouble", 30)
        text = driver.find_element(By.CSS_SELECTOR, "[data-screen=trouble]").text
        self.assertIn("Kein Platz mehr", text)
        ActionChains(driver).send_keys(Keys.SPACE).perform()
        time.sleep(0.5)
        self.assertEqual(station.state()["state"], "idle")
        free()
        browser.wait_screen(driver, "attract", 30)
        station.take(1)


if __name__ == "__main__":
    unittest.main()
