"""The frames around the press: what a guest does with them, by touch and by keys."""

import unittest

from selenium.webdriver import ActionChains

import browser
import scenes
from browser import By, Keys
from test_screens import ScreenCase


class StripTests(ScreenCase):
    def setUp(self):
        self.mock.log.clear()
        self.open("en")

    def chosen(self):
        return self.driver.execute_script(
            "return [...document.querySelectorAll('#strip button')]"
            ".findIndex((one) => one.getAttribute('aria-checked') === 'true')")

    def source(self):
        return self.driver.execute_script("return document.getElementById('still-image').getAttribute('src')")

    def frames(self):
        return [body for command, body in self.mock.log if command == "frame"]

    def test_frames_are_offered_with_the_nearest_chosen_and_each_is_large_enough(self):
        scenes.settle(self.driver, self.mock, "review-frames")
        self.assertEqual(self.chosen(), 2)
        self.assertNotIn("frame=", self.source())
        for size in browser.SIZES.values():
            browser.resize(self.driver, size)
            boxes = self.driver.execute_script(
                "return [...document.querySelectorAll('#strip button')].filter((one) => one.checkVisibility()).map((one) => {"
                " const box = one.getBoundingClientRect();"
                " const hit = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);"
                " return [box.width, box.height, box.top, hit === one] })")
            # A display that is too narrow for a row of five shows those beside the chosen one, or none.
            width = self.driver.execute_script("return document.getElementById('picture').clientWidth")
            self.assertEqual(len(boxes), 0 if width <= 190 else 3 if width <= 300 else 5, size)
            self.assertLessEqual(len({top for _, _, top, _ in boxes}), 1, f"{size}: one row")
            for width, height, _, is_hit in boxes:
                self.assertGreaterEqual(min(width, height), 48, size)
                self.assertTrue(is_hit, size)

    def test_a_touch_chooses_a_frame_and_shows_it_without_a_further_wait_for_the_accept(self):
        scenes.settle(self.driver, self.mock, "review-frames")
        browser.wait(lambda: self.driver.execute_script(
            "return !document.getElementById('accept').hasAttribute('aria-disabled')"), "armed")
        buttons = self.driver.find_elements(By.CSS_SELECTOR, "#strip button")
        buttons[4].click()
        browser.wait(lambda: self.chosen() == 4 and "frame=4" in self.source(), "the frame")
        self.assertEqual([body["frame"] for body in self.frames()], [4])
        self.assertEqual(self.frames()[0]["session"], self.mock.state["session"])
        self.assertFalse(self.driver.execute_script(
            "return document.getElementById('accept').hasAttribute('aria-disabled')"))
        # Several in a row count, and the way back shows the first one again.
        buttons[3].click()
        buttons[2].click()
        browser.wait(lambda: self.chosen() == 2 and "frame=" not in self.source(), "the nearest")

    def test_arrows_go_from_frame_to_frame_and_round(self):
        scenes.settle(self.driver, self.mock, "review-frames")
        for key, index in ((Keys.ARROW_RIGHT, 3), (Keys.ARROW_RIGHT, 4), (Keys.ARROW_RIGHT, 0),
                           (Keys.ARROW_LEFT, 4)):
            ActionChains(self.driver).send_keys(key).perform()
            browser.wait(lambda: self.chosen() == index, f"frame {index}")
        self.assertEqual([body["step"] for body in self.frames()], ["next", "next", "next", "previous"])

    def test_buttons_only_shows_frames_where_a_button_chooses_and_nothing_to_touch(self):
        scenes.settle(self.driver, self.mock, "review-frames")
        self.mock.set(presentation="headless")
        browser.wait(lambda: not self.driver.find_element(By.ID, "strip").is_displayed(), "no strip")
        self.mock.set(controls={**self.mock.state["controls"], "next": ["white"]})
        browser.wait(lambda: self.driver.find_element(By.ID, "strip").is_displayed(), "the strip")
        self.assertTrue(self.driver.execute_script(
            "return [...document.querySelectorAll('#strip button')].every((one) => one.disabled)"))

    def test_the_strip_goes_with_the_review(self):
        scenes.settle(self.driver, self.mock, "review-frames")
        self.mock.set(state="saving", frames=None)
        browser.wait(lambda: not self.driver.find_element(By.ID, "strip").is_displayed(), "no strip")
        self.assertEqual(self.driver.find_elements(By.CSS_SELECTOR, "#strip button"), [])


if __name__ == "__main__":
    unittest.main()
