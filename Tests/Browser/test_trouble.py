"""The station is away, silent, restarted, or not there yet: the page says so and comes back by itself."""

import time
import unittest

import browser
import scenes
from mock_station import MockStation
from test_screens import ScreenCase

# Two heartbeats, and what a busy machine takes to draw.
NOTICED = 3.5 * browser.PATIENCE


class ConnectionTests(ScreenCase):
    def setUp(self):
        self.open("en")
        self.driver.execute_script("window.same = true")

    def tearDown(self):
        self.assertTrue(self.driver.execute_script("return window.same === true"), "the page was reloaded")
        self.mock.listen = "normal"
        if not self.mock.server:
            self.mock.start()

    def lose(self, how):
        """Returns the time from the station's end until the page shows trouble."""
        how()
        began = time.monotonic()
        browser.wait_screen(self.driver, "trouble")
        return time.monotonic() - began

    def test_a_stopped_station_is_noticed_and_found_again(self):
        self.assertLess(self.lose(self.mock.stop), NOTICED)
        text = self.driver.find_element(browser.By.ID, "trouble-title").text
        self.assertIn("short break", text)
        self.mock.start()
        browser.wait_screen(self.driver, "attract", 5)

    def test_a_socket_that_accepts_for_a_stopped_service_is_noticed_too(self):
        self.assertLess(self.lose(lambda: setattr(self.mock, "listen", "silent")), NOTICED)
        # The page keeps showing trouble, because open connections without an answer do not count.
        time.sleep(3)
        self.assertEqual(browser.screen(self.driver), "trouble")
        self.mock.listen = "normal"
        browser.wait_screen(self.driver, "attract", 6)

    def test_missed_heartbeats_alone_are_noticed_in_the_middle_of_every_screen(self):
        for name in ("review", "library", "editor", "countdown", "saving"):
            with self.subTest(screen=name):
                scenes.settle(self.driver, self.mock, name)
                self.assertLess(self.lose(lambda: setattr(self.mock, "listen", "mute")), NOTICED)
                self.mock.listen = "normal"
                browser.wait(lambda: browser.screen(self.driver) == scenes.SCENES[name][1], name, 6)

    def test_a_short_restart_is_not_even_shown(self):
        self.driver.execute_script(
            "window.screens = []; new MutationObserver(() => window.screens.push(document.body.dataset.screen))"
            ".observe(document.body, {attributes: true, attributeFilter: ['data-screen']})")
        self.mock.restart(pause=0.2)
        instance = self.mock.state["instance"]
        browser.wait(lambda: self.mock.beats and self.mock.beats[-1][0] > time.monotonic() - 1, "a sign of life")
        time.sleep(2.5)
        self.assertEqual(browser.screen(self.driver), "attract")
        self.assertEqual(self.driver.execute_script("return window.screens"), [])
        self.assertEqual(self.mock.state["instance"], instance)

    def test_a_restart_in_the_middle_of_each_screen_ends_on_the_attract_screen(self):
        for name in scenes.SCENES:
            with self.subTest(screen=name):
                scenes.settle(self.driver, self.mock, name)
                self.mock.restart(pause=0.1)
                browser.wait_screen(self.driver, "attract", 8)
                self.assertEqual(self.driver.execute_script(
                    "return [...document.querySelectorAll('.tile, #still-image[src], #editor-image[src], dialog[open]')].length"),
                    0, "something of the old session is left")

    def test_the_page_tells_the_station_that_it_lives_and_what_it_shows(self):
        scenes.settle(self.driver, self.mock, "library")
        self.mock.beats.clear()
        browser.wait(lambda: len(self.mock.beats) >= 3, "three signs of life", 12)
        pauses = [after[0] - before[0] for before, after in zip(self.mock.beats, self.mock.beats[1:])]
        self.assertLess(max(pauses), NOTICED)
        beat = self.mock.beats[-1][1]
        self.assertEqual((beat["screen"], beat["visible"]), ("library", True))
        self.assertEqual(len({beat["page"] for _, beat in self.mock.beats}), 1)

    def test_an_answer_of_the_station_before_changes_nothing(self):
        scenes.settle(self.driver, self.mock, "review")
        self.mock.set(state="idle")
        browser.wait_screen(self.driver, "attract")
        # A command with the old session's number gets 409: the page stays where it is.
        self.driver.execute_script(
            "return fetch('/api/v1/accept', {method: 'POST', headers: {'Content-Type': 'application/json'},"
            " body: JSON.stringify({session: 1})}).then((answer) => answer.status)")
        self.assertEqual(browser.screen(self.driver), "attract")


class BeginningTests(unittest.TestCase):
    def setUp(self):
        self.driver = browser.chromium()
        self.addCleanup(self.driver.quit)
        self.mock = MockStation()
        self.addCleanup(self.mock.stop)

    def test_a_browser_that_starts_first_waits_for_the_station(self):
        self.mock.start()
        self.mock.stop()
        self.driver.get(f"{(self.mock.page / 'start.html').as_uri()}?{self.mock.url}")
        time.sleep(2)
        self.assertTrue(self.driver.current_url.startswith("file:"))
        self.mock.start()
        browser.wait(lambda: self.driver.current_url.startswith("http:"), "the page", 20)
        browser.wait_screen(self.driver, "attract")

    def test_a_browser_that_waits_long_says_for_what_and_later_where(self):
        # The page's clock runs thirty times as fast.
        self.driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source":
            "const real = setTimeout; window.setTimeout = (call, time) => real(call, time / 30)"})
        self.mock.start()
        self.mock.stop()
        self.driver.get(f"{(self.mock.page / 'start.html').as_uri()}?{self.mock.url}")
        text = lambda: self.driver.find_element(browser.By.TAG_NAME, "body").text
        browser.wait(lambda: "The photo booth is starting" in text(), "what it waits for")
        self.assertNotIn(self.mock.url, text())
        browser.wait(lambda: self.mock.url in text(), "the address")
        self.assertIn("ask for help", text())
        self.mock.start()
        browser.wait_screen(self.driver, "attract")

    def test_a_page_whose_station_has_nothing_to_say_yet_says_that_it_starts(self):
        self.mock.start()
        self.mock.listen = "mute"
        self.driver.get(self.mock.url + "?language=en")
        browser.wait_screen(self.driver, "trouble")
        browser.wait(lambda: "starting" in self.driver.find_element(browser.By.ID, "trouble-title").text, "the words")
        self.mock.listen = "normal"
        browser.wait_screen(self.driver, "attract", 8)


if __name__ == "__main__":
    unittest.main()
