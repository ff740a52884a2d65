"""Tests of a guest's input by touch, keys and the crop box, and of the protection against mistakes."""

import time
import unittest

from selenium.webdriver import ActionChains

import browser
import scenes
from browser import By, Keys
from test_screens import ScreenCase


class ChoiceTests(ScreenCase):
    def commands(self, name):
        return [body for command, body in self.mock.log if command == name]

    def setUp(self):
        self.mock.log.clear()
        self.open("en")

    def middle(self, name):
        return self.driver.execute_script(
            "const box = document.getElementById(arguments[0]).getBoundingClientRect();"
            "return [box.left + box.width / 2, box.top + box.height / 2]", name)

    def drag(self, start, end):
        """With the mouse; unlike Selenium's own it may end anywhere."""
        for kind, (x, y), buttons in (("mouseMoved", start, 0), ("mousePressed", start, 1),
                                      ("mouseMoved", end, 1), ("mouseReleased", end, 0)):
            self.driver.execute_cdp_cmd("Input.dispatchMouseEvent", {
                "type": kind, "x": x, "y": y, "clickCount": 1, "buttons": buttons,
                "button": "none" if kind == "mouseMoved" else "left"})

    def test_use_photo_counts_only_once_the_photo_was_on_show(self):
        self.mock.set(state="reviewing", source="camera", atEnd="cancel", remainingMs=20000)
        browser.wait_screen(self.driver, "review")
        self.driver.execute_cdp_cmd("Input.dispatchKeyEvent", {
            "type": "keyDown", "key": "Enter", "code": "Enter", "windowsVirtualKeyCode": 13, "text": "\r"})
        self.driver.execute_cdp_cmd("Input.dispatchKeyEvent", {"type": "keyUp", "key": "Enter"})
        self.assertEqual(self.commands("accept"), [])
        browser.wait(lambda: self.driver.execute_script(
            "return !document.getElementById('accept').hasAttribute('aria-disabled')"), "armed")
        session = self.mock.state["session"]
        ActionChains(self.driver).send_keys(Keys.ENTER).perform()
        browser.wait(lambda: self.commands("accept"), "the accept")
        self.assertEqual(self.commands("accept"), [{"session": session}])

    def test_any_touch_extends_the_review_but_a_held_key_does_nothing(self):
        scenes.settle(self.driver, self.mock, "review")
        self.driver.execute_cdp_cmd("Input.dispatchTouchEvent", {
            "type": "touchStart", "touchPoints": [{"x": 300, "y": 300}]})
        self.driver.execute_cdp_cmd("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
        browser.wait(lambda: self.commands("extend"), "the extension")
        self.driver.execute_script(
            "for (let i = 0; i < 30; i++) document.body.dispatchEvent("
            "new KeyboardEvent('keydown', {key: 'r', repeat: true, bubbles: true}))")
        self.assertEqual(self.commands("retake"), [])

    def test_what_happens_at_the_end_is_written_there(self):
        for end, words in (("accept", "Saved in"), ("cancel", "Deleted in")):
            self.mock.set(state="idle")
            browser.wait_screen(self.driver, "attract")
            self.mock.set(state="reviewing", source="camera", atEnd=end, remainingMs=9000, totalMs=9000)
            browser.wait_screen(self.driver, "review")
            timer = self.driver.find_element(By.CSS_SELECTOR, ".timer").text
            self.assertIn(words, timer)
            self.assertRegex(timer, r"[89] s")

    def test_a_review_without_a_limit_shows_no_timer(self):
        self.mock.set(state="reviewing", source="camera", atEnd=None, remainingMs=None)
        browser.wait_screen(self.driver, "review")
        self.assertFalse(self.driver.find_element(By.CSS_SELECTOR, ".timer").is_displayed())

    def test_choices_carry_the_labels_of_their_buttons(self):
        scenes.settle(self.driver, self.mock, "review")
        self.driver.execute_script("document.documentElement.dataset.input = 'pointer'")
        for command, label in (("accept", "Green"), ("retake", "Yellow"), ("cancel", "Red")):
            button = self.driver.find_element(By.CSS_SELECTOR, f".review [data-command={command}]")
            self.assertIn(label, button.text)

    def test_buttons_only_shows_no_control_that_can_be_touched(self):
        scenes.settle(self.driver, self.mock, "buttons-only")
        self.assertEqual(self.driver.execute_script(
            "return [...document.querySelectorAll('#app [data-command]')].filter((b) => !b.disabled).length"), 0)

    def test_photos_are_picked_in_the_order_touched_and_unpicked_again(self):
        self.mock.command("begin", {"source": "photoLibrary", "limit": 3, "edit": True})
        browser.wait_screen(self.driver, "library")
        browser.wait(lambda: self.driver.find_elements(By.CSS_SELECTOR, ".tile"), "the grid")
        tiles = self.driver.find_elements(By.CSS_SELECTOR, ".tile")
        for index in (2, 0, 3):
            tiles[index].click()
            browser.wait(lambda: tiles[index].get_attribute("aria-pressed") == "true", "picked")
        tiles[1].click()
        browser.wait(lambda: self.driver.find_element(By.ID, "toast").is_displayed(), "the limit to be told")
        self.assertEqual(self.mock.state["selection"],
                         [self.mock.picked[index]["id"] for index in (2, 0, 3)])
        tiles[0].click()
        browser.wait(lambda: tiles[3].find_element(By.CSS_SELECTOR, ".order").text == "2", "the new order")
        self.driver.find_element(By.ID, "library-use").click()
        browser.wait_screen(self.driver, "saved")

    def test_a_movie_is_played_and_chosen_in_the_large_view(self):
        scenes.settle(self.driver, self.mock, "library-movie")
        self.mock.command("deselect", {"item": self.mock.picked[1]["id"]})
        self.mock.command("deselect", {"item": self.mock.picked[4]["id"]})
        self.mock.set(media=["image", "movie"])
        look = ".cell:nth-child(2) .look"
        browser.wait(lambda: self.driver.find_elements(By.CSS_SELECTOR, look), "the grid")
        self.driver.find_element(By.CSS_SELECTOR, look).click()
        time_of = lambda: self.driver.execute_script(
            "const v = document.getElementById('viewer-movie'); return v.checkVisibility() ? v.currentTime : 0")
        browser.wait(lambda: time_of() > 0.1, "the movie plays")
        choose = self.driver.find_element(By.ID, "viewer-choose")
        choose.click()
        browser.wait(lambda: self.mock.state["selection"] == [self.mock.picked[1]["id"]], "the choice")
        browser.wait(lambda: choose.get_attribute("aria-pressed") == "true", "the mark")
        for _ in range(2):
            self.driver.find_element(By.ID, "viewer-after").click()
        self.assertEqual(self.driver.find_element(By.ID, "viewer-title").text, "4 / 12")
        self.assertFalse(self.driver.find_element(By.ID, "viewer-movie").is_displayed())
        ActionChains(self.driver).send_keys(Keys.ARROW_LEFT).perform()
        browser.wait(lambda: self.driver.find_element(By.ID, "viewer-title").text == "3 / 12", "the one before")
        # The end of the session ends it, too.
        self.mock.set(state="cancelled")
        browser.wait(lambda: not self.driver.find_element(By.ID, "viewer").is_displayed(), "the end")
        self.assertFalse(self.driver.execute_script("return document.getElementById('viewer-movie').hasAttribute('src')"))

    def test_guests_look_through_the_photos_where_the_booth_lets_them(self):
        scenes.settle(self.driver, self.mock, "photo")
        self.assertEqual(self.commands("select"), [])
        self.driver.find_element(By.CSS_SELECTOR, "#viewer [data-close]").click()
        self.driver.find_element(By.CSS_SELECTOR, ".library [data-command=cancel]").click()
        browser.wait_screen(self.driver, "attract")
        self.assertEqual(self.commands("cancel"), [])
        # A press at the booth's own button begins a session from there.
        scenes.settle(self.driver, self.mock, "photo")
        self.mock.command("shutter", {})
        browser.wait_screen(self.driver, "countdown")
        self.assertFalse(self.driver.execute_script("return document.querySelector('dialog[open]') !== null"))
        self.mock.set(state="idle", settings={**self.mock.state["settings"], "gallery": False})
        browser.wait_screen(self.driver, "attract")
        self.assertFalse(self.driver.find_element(By.ID, "photos").is_displayed())
        self.mock.set(settings={**self.mock.state["settings"], "gallery": True})

    def test_photos_that_no_page_of_the_list_holds_are_counted_at_its_end(self):
        self.mock.omitted = 1234
        self.mock.command("begin", {"source": "photoLibrary", "limit": 3})
        browser.wait_screen(self.driver, "library")
        browser.wait(lambda: "shown here: 1234" in self.driver.find_element(By.ID, "library-unshown").text, "the number")
        self.mock.omitted = 0

    def test_a_choice_that_is_being_read_is_cancelled(self):
        scenes.settle(self.driver, self.mock, "saving")
        self.assertFalse(self.driver.find_element(By.ID, "saving-cancel").is_displayed())
        scenes.settle(self.driver, self.mock, "saving-library")
        self.driver.find_element(By.ID, "saving-cancel").click()
        browser.wait_screen(self.driver, "cancelled")

    def test_the_keyboard_picks_crops_and_confirms(self):
        self.mock.command("begin", {"source": "photoLibrary", "limit": 2, "edit": True})
        browser.wait_screen(self.driver, "library")
        browser.wait(lambda: self.driver.execute_script(
            "return document.activeElement?.classList.contains('tile')"), "focus in the grid")
        keys = lambda *names: ActionChains(self.driver).send_keys(*names).perform()
        keys(Keys.ARROW_RIGHT)
        keys(Keys.SPACE)
        browser.wait(lambda: self.mock.state["selection"] == [self.mock.picked[1]["id"]], "picked")
        keys("e")
        browser.wait_screen(self.driver, "editor")
        browser.wait(lambda: self.driver.execute_script("return document.activeElement?.id") == "crop", "the box")
        keys("+", "+", Keys.ARROW_RIGHT, Keys.ARROW_DOWN, "]", Keys.ENTER)
        browser.wait_screen(self.driver, "library")
        edit = self.commands("edit")[-1]
        self.assertEqual(edit["quarterTurns"], 1)
        crop, ratio = edit["crop"], 540 / 720
        self.assertAlmostEqual(crop["width"] / crop["height"], ratio, places=1)
        self.assertLess(crop["width"], 500)
        self.assertGreater(crop["x"], 0)

    def test_the_crop_box_is_pulled_and_moved_and_stays_inside(self):
        scenes.settle(self.driver, self.mock, "editor")
        browser.wait(lambda: self.driver.find_element(By.ID, "crop").is_displayed(), "the box")
        inside = """
          const box = document.getElementById("crop").getBoundingClientRect();
          const image = document.getElementById("editor-image").getBoundingClientRect();
          return [box.left - image.left, box.top - image.top, image.right - box.right, image.bottom - box.bottom,
            box.width / image.width];"""
        # Before the picture is there, the box has no place in it.
        browser.wait(lambda: None not in self.driver.execute_script(inside), "the picture behind the box")
        before = self.driver.execute_script(inside)
        corner = self.driver.find_element(By.CSS_SELECTOR, ".crop .se")
        ActionChains(self.driver).drag_and_drop_by_offset(corner, -60, -80).perform()
        smaller = self.driver.execute_script(inside)
        self.assertLess(smaller[4], before[4])
        self.assertAlmostEqual(smaller[0], before[0], delta=2)
        for turn in range(4):
            self.drag(self.middle("crop"), (1275, 715))
            moved = self.driver.execute_script(inside)
            self.assertGreaterEqual(min(moved[:4]), -1.5, f"after {turn} turns: {moved}")
            self.assertLess(max(moved[2], moved[3]), 2, f"it follows the finger when turned: {moved}")
            self.driver.find_element(By.CSS_SELECTOR, "[data-tool=right]").click()
            time.sleep(0.1)

    def test_a_long_press_and_the_pin_open_the_operators_view(self):
        self.mock.pin = "2468"
        self.mock.set(pinRequired=True)
        scenes.settle(self.driver, self.mock, "trouble-storage")
        staff = self.driver.find_element(By.CSS_SELECTOR, ".staff")
        staff.click()
        self.assertFalse(self.driver.execute_script("return document.getElementById('operator').open"))
        ActionChains(self.driver).click_and_hold(staff).pause(1.5).release().perform()
        browser.wait(lambda: self.driver.execute_script("return document.getElementById('operator').open"), "the view")
        self.assertFalse(self.driver.find_element(By.ID, "operator-view").is_displayed())
        ActionChains(self.driver).send_keys("1111", Keys.ENTER).perform()
        browser.wait(lambda: "Wrong" in self.driver.find_element(By.ID, "pin-text").text, "the refusal")
        for digit in "2468":
            self.driver.find_element(By.XPATH, f"//*[@id='pin-pad']/button[.='{digit}']").click()
        self.driver.find_element(By.XPATH, "//*[@id='pin-pad']/button[.='✓']").click()
        view = self.driver.find_element(By.ID, "operator-view")
        browser.wait(view.is_displayed, "the view behind the PIN")
        self.assertIn("12 MB left", view.text)
        self.assertIn("library.reserve", view.text)
        self.driver.find_element(By.CSS_SELECTOR, "#operator [data-close]").click()
        self.mock.pin = None
        self.mock.set(pinRequired=False)

    def test_the_guest_chooses_a_language(self):
        self.driver.find_element(By.ID, "language").click()
        self.driver.find_element(By.CSS_SELECTOR, "#language-list [lang=ko]").click()
        browser.wait(lambda: "사진" in self.driver.find_element(By.ID, "attract-title").text, "Korean")

    def test_sounds_are_off_and_work_when_switched_on(self):
        self.assertIsNone(self.driver.execute_script("return window.made ?? null"))
        self.driver.execute_script(
            "window.made = 0; const Real = AudioContext;"
            "window.AudioContext = class extends Real { constructor(...a) { super(...a); window.made++; }"
            " createOscillator() { window.tones = (window.tones ?? 0) + 1; return super.createOscillator(); } }")
        scenes.settle(self.driver, self.mock, "countdown")
        self.assertEqual(self.driver.execute_script("return window.made"), 0)
        self.mock.state["settings"]["sounds"] = True
        scenes.settle(self.driver, self.mock, "countdown")
        browser.wait(lambda: self.driver.execute_script("return window.tones ?? 0") >= 2, "tones")
        self.mock.state["settings"]["sounds"] = False


class PreviewTests(ScreenCase):
    def setUp(self):
        self.open("en", (1920, 1080))

    def test_an_old_frame_says_how_old_it_is(self):
        self.mock.frozen = True
        try:
            age = self.driver.find_element(By.ID, "age")
            browser.wait(age.is_displayed, "the age", 8)
            self.assertRegex(age.text, r"frozen for \d+ s")
        finally:
            self.mock.frozen = False
        browser.wait(lambda: not age.is_displayed(), "a new frame", 8)

    def test_one_request_is_in_flight_and_none_while_no_live_picture_is_shown(self):
        scenes.settle(self.driver, self.mock, "review")
        time.sleep(0.3)
        count = ("return performance.getEntriesByType('resource')"
                 ".filter((entry) => entry.name.includes('/preview')).length")
        self.driver.execute_script("performance.clearResourceTimings()")
        time.sleep(0.6)
        self.assertEqual(self.driver.execute_script(count), 0)
        scenes.settle(self.driver, self.mock, "attract")
        self.driver.execute_script("performance.clearResourceTimings(); performance.setResourceTimingBufferSize(2000)")
        time.sleep(1.5)
        entries = self.driver.execute_script(
            "return performance.getEntriesByType('resource').filter((entry) =>"
            " entry.name.includes('/preview')).map((entry) => [entry.startTime, entry.responseEnd])")
        self.assertGreater(len(entries), 3)
        for before, after in zip(entries, entries[1:]):
            self.assertGreaterEqual(after[0], before[1] - 0.2)

    def test_the_picture_is_cut_turned_and_mirrored_as_told(self):
        from PIL import Image, ImageDraw
        import io
        # A frame with a colour in each corner of the part that is saved.
        frame = Image.new("RGB", (640, 480), "black")
        pen = ImageDraw.Draw(frame)
        crop = {"x": 100, "y": 40, "width": 400, "height": 300}
        colours = {"red": (0, 0), "lime": (1, 0), "blue": (0, 1), "yellow": (1, 1)}
        for name, (across, down) in colours.items():
            x, y = crop["x"] + across * 200, crop["y"] + down * 150
            pen.rectangle([x, y, x + 199, y + 149], fill=name)
        out = io.BytesIO()
        frame.save(out, "JPEG", quality=95, subsampling=0)
        kept, self.mock.frames = self.mock.frames, [out.getvalue()]
        # Quarter turns clockwise: where the corner colours come to lie, in reading order.
        upright = {0: "red lime blue yellow", 1: "blue red yellow lime",
                   2: "yellow blue lime red", 3: "lime yellow red blue"}
        names = {(1, 0, 0): "red", (0, 1, 0): "lime", (0, 0, 1): "blue", (1, 1, 0): "yellow"}
        try:
            for turns, expected in upright.items():
                for mirrored in (False, True):
                    expected_now = expected.split()
                    if mirrored:
                        expected_now = [expected_now[i] for i in (1, 0, 3, 2)]
                    self.mock.set(preview={"turns": turns, "mirrored": mirrored, "crop": crop,
                                           "frame": {"width": 640, "height": 480}})
                    read = lambda: [names.get(tuple(1 if v > 128 else 0 for v in pixel)) for pixel in
                                    self.driver.execute_script("""
                        const canvas = document.getElementById("preview");
                        const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext("2d");
                        copy.drawImage(canvas, 0, 0);
                        return [[.2, .2], [.8, .2], [.2, .8], [.8, .8]].map(([x, y]) =>
                          [...copy.getImageData(canvas.width * x, canvas.height * y, 1, 1).data.slice(0, 3)]);""")]
                    browser.wait(lambda: read() == expected_now, f"{turns} turns, mirrored {mirrored}: "
                                 f"{expected_now}", 5)
                    shape = self.driver.execute_script(
                        "const c = document.getElementById('preview'); return c.width / c.height")
                    self.assertAlmostEqual(shape, 300 / 400 if turns % 2 else 400 / 300, delta=0.02)
        finally:
            self.mock.frames = kept
            self.mock.fresh()


if __name__ == "__main__":
    unittest.main()
