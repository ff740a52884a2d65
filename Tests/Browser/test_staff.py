"""The operator's view: what it shows, what it does, and that guests neither load nor reach it."""

import unittest

import browser
from screenshots import FAULTS
from test_screens import ALL, LANGUAGES, ScreenCase

SIZES = [(480, 320), (480, 800)]
if ALL:
    SIZES += [(800, 480), (1280, 720), (600, 1024), (1024, 600), (1920, 1080), (1080, 1920), (390, 844)]


class StaffCase(ScreenCase):
    def setUp(self):
        self.mock.log.clear()
        self.mock.faults, self.mock.free = FAULTS, 12_345_678_901
        self.protect("2468")

    def tearDown(self):
        self.driver.execute_script("document.getElementById('operator').close()")
        self.protect(None)

    def protect(self, pin):
        self.mock.pin = pin
        self.mock.set(pinRequired=pin is not None)

    def show(self, pin="2468", language="en", size=(1280, 720)):
        """The report, behind the PIN."""
        self.open(language, size)
        self.mock.trouble("storage", 60000)
        browser.wait_screen(self.driver, "trouble")
        self.driver.execute_script("document.querySelector('.staff').click()")
        if pin:
            browser.wait(lambda: self.driver.execute_script(
                "return document.querySelector('.pad button')?.checkVisibility()"), "the pad")
            self.type(pin)
        if pin in (None, self.mock.pin):
            self.reported()

    def reported(self):
        browser.wait(lambda: self.driver.find_elements("css selector", ".facts dd"), "the report")

    def type(self, pin):
        self.driver.execute_script(
            "for (const key of arguments[0] + '✓')"
            " [...document.querySelectorAll('.pad button')].find((one) => one.textContent === key).click()", pin)

    def press(self, selector):
        self.driver.execute_script("document.querySelector(arguments[0]).click()", selector)

    def text(self, selector):
        return self.driver.execute_script("return document.querySelector(arguments[0]).innerText", selector)

    def shown(self, selector):
        return self.driver.execute_script(
            "return document.querySelector(arguments[0])?.checkVisibility() === true", selector)

    def done(self, name):
        return [body for deed, body in self.mock.log if deed == name]


class ReportTests(StaffCase):
    def test_the_report_shows_what_an_operator_needs_behind_the_pin_and_folds_the_rest(self):
        self.open("en")
        loaded = "return performance.getEntriesByType('resource').filter(({name}) => /staff/.test(name)).length"
        self.assertEqual(self.driver.execute_script(loaded), 0, "guests load it")
        self.show(pin="1111")
        browser.wait(lambda: "Wrong PIN" in self.text("#pin-text"), "the refusal")
        self.assertFalse(self.shown("#operator-view"))
        self.assertNotIn("GB", self.text("#operator"))
        self.type("2468")
        self.reported()
        facts = self.text(".facts")
        for words in ("17 since the start", "12.3 GB, about 125,000 photos", "/media/usb: copying, 3 waiting",
                      "14.9 pictures per second, too little light", "shutter (GPIO17): ready, presses: 21"):
            self.assertIn(words, facts)
        self.assertIn("What to do: Free some space", self.text(".checks"))
        faults = self.text(".faults")
        self.assertIn("12 minutes ago · lasted 4 seconds", faults)
        self.assertIn("What to do: plug it in", faults)
        self.assertFalse(self.shown(".report details dl"))
        self.assertNotIn("upToMilliseconds", self.text("#operator"))
        self.press(".report summary")
        self.assertIn("upToMilliseconds", self.text("#operator"))
        self.assertEqual(browser.console_errors(self.driver), [])

    def test_common_fixes_are_in_the_operators_language_and_rare_ones_as_the_station_says_them(self):
        for language, fix, fault in (("de", "Abhilfe: Platz schaffen", "Abhilfe: Die Kamera einstecken"),
                                     ("ko", "해결 방법: 공간을 만들어 주세요", "해결 방법: 카메라를 연결하고")):
            self.show(language=language)
            self.assertIn(fix, self.text(".checks"))
            self.assertNotIn("Free some space", self.text(".checks"))
            self.assertIn(fault, self.text(".faults"))
            self.driver.execute_script("document.getElementById('operator').close()")
        self.mock.faults = [{**FAULTS[0], "code": "bad-clip"}]
        self.show(language="de")
        self.assertIn("Abhilfe: plug it in", self.text(".faults"))

    def test_a_station_that_does_not_answer_is_told_with_the_command_even_before_the_view_was_loaded(self):
        self.open("en")
        self.mock.listen = "silent"
        self.addCleanup(setattr, self.mock, "listen", "normal")
        browser.wait_screen(self.driver, "trouble")
        self.mock.stop()
        self.addCleanup(self.mock.start)
        self.driver.execute_script("document.querySelector('.staff').click()")
        browser.wait(lambda: "systemctl status retake" in self.text("#operator"), "the advice")

    def test_everything_fits_every_display(self):
        for language in LANGUAGES if ALL else ("de",):
            self.show(language=language)
            for part, selector in (("report", None), ("test", ".report .deeds .choice"),
                                   ("report", ".test .deeds .choice"), ("photos", ".report .deeds .choice:nth-child(2)"),
                                   ("photo", ".photos .tile"), ("sure", ".photo .deeds .choice:nth-child(2)")):
                if selector:
                    self.press(selector)
                browser.wait(lambda: self.shown(f"#operator-view > .{part}"), part)
                if part == "test":
                    browser.wait(lambda: self.shown(".framing svg"), "the guide")
                for size in SIZES:
                    with self.subTest(language=language, part=part, size=size):
                        browser.resize(self.driver, size)
                        self.assertEqual(self.driver.execute_script(browser.LAYOUT_FAULTS)["faults"], [])
                        self.assertEqual(self.driver.execute_script(
                            "const view = document.getElementById('operator-view');"
                            "return view.scrollWidth - view.clientWidth"), 0)
            self.driver.execute_script("document.getElementById('operator').close()")


class DeedTests(StaffCase):
    def test_photos_are_deleted_after_a_question(self):
        self.show()
        count = len(self.mock.picked)
        self.press(".report .deeds .choice:nth-child(2)")
        browser.wait(lambda: self.shown(".photos .tile"), "the photos")
        self.press(".photos .tile:nth-child(2)")
        browser.wait(lambda: self.shown(".photo .deeds"), "the photo")
        name = self.mock.picked[1]["id"]
        self.press(".photo .deeds .choice:nth-child(2)")
        browser.wait(lambda: self.shown(".sure"), "the question")
        self.assertEqual(self.done("delete"), [])
        self.press(".sure .accept")
        browser.wait(lambda: self.done("delete") == [{"id": name}], "the deletion")
        browser.wait(lambda: "is deleted" in self.text(".word"), "the news")
        self.assertEqual(len(self.mock.picked), count - 1)

    def test_without_a_pin_nothing_is_deleted_and_the_setting_is_named(self):
        self.protect(None)
        self.show(pin=None)
        self.press(".report .deeds .choice:nth-child(2)")
        browser.wait(lambda: self.shown(".photos .tile"), "the photos")
        self.press(".photos .tile")
        self.press(".photo .deeds .choice:nth-child(2)")
        self.press(".sure .accept")
        browser.wait(lambda: "set web.pin" in self.text(".word"), "the advice")
        self.assertEqual(self.done("delete"), [])

    def test_a_test_shot_has_its_guide_and_album_and_restart_ask_first(self):
        self.show()
        self.press(".report .deeds .choice")
        browser.wait(lambda: self.shown(".framing svg"), "the guide")
        self.assertIn("540×720", self.text(".test"))
        self.assertEqual(len(self.done("test-shot")), 1)
        self.press(".test .accept")
        browser.wait(lambda: len(self.done("test-shot")) == 2, "another one")
        self.press(".test .deeds .choice")
        for index, deed, news in ((3, "operator/album", "wedding-2"), (4, "operator/restart", "restarting")):
            self.press(f".report .deeds .choice:nth-child({index})")
            browser.wait(lambda: self.shown(".sure"), "the question")
            self.assertEqual(self.done(deed), [])
            self.press(".sure .accept")
            browser.wait(lambda: self.done(deed), deed)
            browser.wait(lambda: self.shown(".word") and news in self.text(".word"), "the news")


if __name__ == "__main__":
    unittest.main()
