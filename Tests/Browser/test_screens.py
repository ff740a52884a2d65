"""Every screen, as the page shows it: nothing cut off, nothing too small, nothing axe complains of.

The states come from the mock station; test_session.py and test_trouble.py use the program itself.
"""

import json
import os
import pathlib
import shutil
import tempfile
import time
import unittest

import browser
import scenes
from mock_station import MockStation

ALL = bool(os.environ.get("RETAKE_TEST_ALL"))
LANGUAGES = ["en", "de", "ko", "es", "fr", "ja"]
# The most common panels, and the sizes at their edges.
NAMES = ("480x320", "320x240", "800x480", "480x800", "600x1024", "390x844", "1920x1080", "1080x1920")
SIZES = {name: browser.SIZES[name] for name in NAMES}
if ALL:
    SIZES = {**browser.SIZES, "320x480": (320, 480), "1024x600": (1024, 600), "1280x1024": (1280, 1024)}
# Screens with parts of a fixed size, which a large display's letters may outgrow.
LARGEST = ("attract-movie", "countdown", "review-frames", "library-movie", "movie-to-choose", "staff", "pin")
# Sizes at which a long word has the least room.
UPRIGHT = ("480x800", "600x1024", "390x844")


class ScreenCase(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.mock = MockStation().start()
        cls.driver = browser.chromium()
        browser.calm(cls.driver)
        cls.addClassCleanup(cls.mock.stop)
        cls.addClassCleanup(cls.driver.quit)

    def open(self, language, size=(1280, 720)):
        self.mock.set(state="idle", trouble=None)
        browser.resize(self.driver, size)
        self.driver.get(f"{self.mock.url}?language={language}")
        browser.wait_screen(self.driver, "attract")


class LayoutTests(ScreenCase):
    def test_everything_that_is_shown_is_reached_and_read_on_every_display_in_every_language(self):
        self.open("en")
        places = {}
        for name in [*scenes.SCENES, *scenes.OPENED]:
            browser.resize(self.driver, (1280, 720))
            scenes.settle(self.driver, self.mock, name)
            for size_name, size in SIZES.items():
                browser.resize(self.driver, size)
                languages = LANGUAGES if ALL or size_name in UPRIGHT else ["de", "fr"]
                for language, shown in browser.layout(self.driver, languages).items():
                    with self.subTest(screen=name, size=size_name, language=language):
                        self.assertEqual(shown["faults"], [])
                        places[name, size_name, language] = shown["places"]
            if name in LARGEST and not ALL:
                browser.resize(self.driver, browser.SIZES["3840x2160"])
                with self.subTest(screen=name, size="3840x2160"):
                    self.assertEqual(browser.layout(self.driver, ["de"])["de"]["faults"], [])
        self.assertEqual(browser.console_errors(self.driver), [])
        self.judge_places(places)

    def judge_places(self, places):
        """Checks that a control that discards something does not cover the control that led to its screen."""
        for (before, size, language), controls in places.items():
            for press, nexts in scenes.LEADS.get(before, {}).items():
                one = [place for place in controls if place["what"] == press]
                self.assertTrue(one, f"{press} is missing on {before}, {size}, {language}")
                for after, losing in nexts.items():
                    for two in places.get((after, size, language), []):
                        if two["what"] not in losing:
                            continue
                        with self.subTest(press=f"{before} {press}", then=f"{after} {two['what']}", size=size,
                                          language=language):
                            across = min(one[0]["right"], two["right"]) - max(one[0]["left"], two["left"])
                            down = min(one[0]["bottom"], two["bottom"]) - max(one[0]["top"], two["top"])
                            self.assertFalse(across > 1 and down > 1, (one[0], two))

    def test_a_headline_of_any_length_leaves_every_control_in_reach(self):
        self.open("en")
        for words in ("Hochzeit " * 8, "x" * 80, "Ä" * 300, "lang " * 60, "<b>&amp;</b>\u202e" * 10):
            self.mock.set(settings={**self.mock.state["settings"], "title": words}, media=["image", "movie"])
            for size_name, size in SIZES.items():
                browser.resize(self.driver, size)
                with self.subTest(title=words[:10], size=size_name):
                    shown = browser.layout(self.driver, ["de"])["de"]
                    # Configuration takes 80 letters; of more the end may be missing.
                    faults = [fault for fault in shown["faults"] if "H1 attract-title" not in fault]
                    self.assertEqual(faults, [])
                    self.assertIn("take", [place["what"] for place in shown["places"]])
        self.mock.fresh()

    def test_a_message_covers_no_control_and_no_other_words(self):
        self.open("en")
        for name in ("attract", "review-edit", "library", "failed", "editor"):
            browser.resize(self.driver, (1280, 720))
            scenes.settle(self.driver, self.mock, name)
            for size in ((480, 320), (800, 480), (480, 800)):
                browser.resize(self.driver, size)
                self.mock.notice("selectionLimitReached", "")
                browser.wait(lambda: self.driver.find_element(browser.By.ID, "toast").is_displayed(), "the message")
                covered = self.driver.execute_script("""
                    const toast = document.getElementById("toast").getBoundingClientRect();
                    return [...document.querySelectorAll("#app > .shown button")].filter((one) => {
                      const box = one.getBoundingClientRect();
                      return box.width && one.checkVisibility() && Math.min(box.right, toast.right) > Math.max(box.left, toast.left) + 1
                        && Math.min(box.bottom, toast.bottom) > Math.max(box.top, toast.top) + 1;
                    }).map((one) => one.outerHTML.slice(0, 100)).concat(
                      toast.left < 0 || toast.right > innerWidth || toast.top < 0 || toast.bottom > innerHeight ? ["outside"] : []);""")
                with self.subTest(screen=name, size=size):
                    self.assertEqual(covered, [])
                self.driver.execute_script("document.getElementById('toast').hidden = true")

    def test_a_photo_that_is_thrown_away_is_said_to_be_and_a_session_without_one_is_cancelled(self):
        self.open("en")
        for scene, words in (("review", "Photo deleted"), ("review-movie", "Video deleted"), ("countdown", "Cancelled")):
            scenes.settle(self.driver, self.mock, scene)
            self.mock.set(state="cancelled", isMovie=False)
            browser.wait_screen(self.driver, "cancelled")
            self.assertEqual(self.driver.find_element(browser.By.ID, "cancelled-title").text, words)

    def test_only_who_can_touch_is_told_to(self):
        self.open("en")
        for scene, shown in (("review", True), ("buttons-only", False)):
            scenes.settle(self.driver, self.mock, scene)
            self.assertEqual(self.driver.find_element(browser.By.CSS_SELECTOR, ".timer .more").is_displayed(), shown, scene)

    def test_a_language_file_that_lacks_a_word_is_filled_up_with_english(self):
        import json
        import shutil
        import tempfile
        with tempfile.TemporaryDirectory() as folder:
            page = shutil.copytree(self.mock.page, folder + "/page")
            words = json.loads((self.mock.page / "languages/de.json").read_text())
            for missing in ("take", "retake", "again"):
                del words[missing]
            with open(page + "/languages/de.json", "w") as file:
                json.dump(words, file)
            self.mock.page, kept = self.mock.page.__class__(page), self.mock.page
            try:
                self.open("de")
                for name, word in (("attract", "Take a photo"), ("review", "Retake"), ("saved", "Another one")):
                    scenes.settle(self.driver, self.mock, name)
                    text = self.driver.find_element(browser.By.ID, "app").text
                    self.assertIn(word, text)
                    self.assertNotIn("undefined", text)
                self.assertEqual(browser.console_errors(self.driver), [])
            finally:
                self.mock.page = kept

    def test_no_screen_shows_a_key_of_a_sentence_instead_of_the_sentence(self):
        self.open("en")
        for name in scenes.SCENES:
            scenes.settle(self.driver, self.mock, name)
            text = self.driver.execute_script("return document.getElementById('app').innerText")
            self.assertNotRegex(text, r"\b(reason|trying|library|review|movie|editor|key)\.\w+|\{\w+\}|undefined|NaN", name)

    def test_a_language_file_that_lacks_words_or_is_broken_gives_english_ones(self):
        with tempfile.TemporaryDirectory() as folder:
            page = pathlib.Path(folder, "page")
            shutil.copytree(self.mock.page, page)
            german = json.loads((page / "languages/de.json").read_text())
            for word in ("take", "countdown.look", "attract.title"):
                del german[word]
            (page / "languages/de.json").write_text(json.dumps(german))
            (page / "languages/fr.json").write_text('{"take": "Prendre')
            mock = MockStation(page=page).start()
            self.addCleanup(mock.stop)
            for language, hint in (("de", "Komm näher"), ("fr", "Come closer")):
                self.driver.get(f"{mock.url}?language={language}")
                browser.wait_screen(self.driver, "attract")
                browser.wait(lambda: hint in self.driver.find_element(browser.By.ID, "attract-hint").text, hint)
                text = self.driver.find_element(browser.By.CSS_SELECTOR, ".attract").text
                self.assertIn("Take a photo", text)
                self.assertIn("Ready for your photo?", text)

    def test_an_unknown_language_gets_english_and_a_region_gets_its_language(self):
        for setting, expected in (("xx", "en"), ("de-AT", "de"), ("ko_KR", "ko")):
            self.open(setting)
            self.assertEqual(self.driver.execute_script("return document.documentElement.lang"),
                             expected, setting)


class AccessibilityTests(ScreenCase):
    @unittest.skipIf("RETAKE_WITHOUT_AXE" in os.environ, "PyPI, which has axe, is out of reach")
    def test_axe_finds_no_violation_on_any_screen(self):
        sources = [path.read_text() for path in browser.axe_source()]
        self.open("en")
        for name in [*scenes.SCENES, *scenes.OPENED]:
            with self.subTest(screen=name):
                scenes.settle(self.driver, self.mock, name)
                for source in sources:
                    self.assertEqual(browser.axe(self.driver, source), [])

    @unittest.skipIf("RETAKE_WITHOUT_AXE" in os.environ, "PyPI, which has axe, is out of reach")
    def test_axe_finds_no_violation_in_the_dialogs(self):
        sources = [path.read_text() for path in browser.axe_source()]
        self.open("en")
        self.driver.find_element(browser.By.ID, "language").click()
        for source in sources:
            self.assertEqual(browser.axe(self.driver, source), [], "languages")
        self.driver.find_element(browser.By.CSS_SELECTOR, "#languages [data-close]").click()
        for pin in (None, "2468"):
            self.mock.pin = pin
            self.mock.set(pinRequired=pin is not None)
            self.mock.trouble("camera")
            browser.wait_screen(self.driver, "trouble")
            self.driver.execute_script("document.querySelector('.staff').click()")
            browser.wait(lambda: self.driver.execute_script(
                "return document.getElementById('operator').open && (document.querySelector('.pad button')"
                ".checkVisibility() || document.querySelector('.check') !== null)"), "the operator's view")
            for source in sources:
                self.assertEqual(browser.axe(self.driver, source), [], f"operator, PIN {pin}")
            if pin is None:
                for part, key in (("test", 1), ("photos", 2), ("sure", 3)):
                    time.sleep(0.8)
                    self.driver.execute_script(
                        "document.querySelectorAll('.report .deeds .choice')[arguments[0] - 1].click()", key)
                    browser.wait(lambda: self.driver.execute_script(
                        "return document.querySelector('#operator-view > .' + arguments[0]).checkVisibility()", part), part)
                    time.sleep(0.3)
                    for source in sources:
                        self.assertEqual(browser.axe(self.driver, source), [], f"operator, {part}")
                    time.sleep(0.6)
                    self.driver.execute_script(
                        "document.querySelector(`#operator-view > .${arguments[0]} .deeds .choice`).click()", part)
            self.driver.find_element(browser.By.CSS_SELECTOR, "#operator [data-close]").click()
        self.mock.pin = None
        self.mock.set(pinRequired=False)

    def test_a_screen_reader_hears_screens_countdown_and_trouble(self):
        self.open("en")
        heard = lambda which: self.driver.execute_script(
            "return document.getElementById(arguments[0]).textContent", which)
        scenes.settle(self.driver, self.mock, "countdown")
        browser.wait(lambda: heard("alarm") in ("3", "2", "1"), "the countdown to be said")
        scenes.settle(self.driver, self.mock, "review")
        browser.wait(lambda: "How do you like it?" in heard("announcer"), "the review to be said")
        self.assertRegex(heard("announcer"), r"Deleted in \d+\ss")
        scenes.settle(self.driver, self.mock, "trouble-camera")
        browser.wait(lambda: "camera isn’t ready" in heard("alarm"), "the trouble to be said")

    def test_less_movement_is_respected(self):
        self.open("en")
        scenes.settle(self.driver, self.mock, "countdown-last")
        self.assertEqual(self.driver.execute_script(
            "return document.getAnimations().filter((animation) =>"
            " !animation.effect.target.closest('.bar')).length"), 0)


class WeightTests(ScreenCase):
    def test_the_page_weighs_less_than_150_kB_and_asks_nobody_else(self):
        # A browser loads one language beside English; the others load when a guest chooses them.
        # Parts that few need load on first use: the operator's view, the crop box, movies of JPEG
        # pictures. start.html is no part of the page.
        languages = [path.stat().st_size for path in (self.mock.page / "languages").glob("*.json")]
        files = [path for path in self.mock.page.iterdir()
                 if path.is_file() and path.stem not in ("staff", "editor", "frames", "start")]
        weight = sum(path.stat().st_size for path in files) + max(languages)
        self.assertLess(weight, 150_000)
        self.open("ja")
        loaded = self.driver.execute_script(
            "return performance.getEntriesByType('resource').filter(({name}) => name.includes('/page/'))"
            ".reduce((sum, {decodedBodySize}) => sum + decodedBodySize, 0)")
        self.assertLess(loaded, 150_000)
        hosts = self.driver.execute_script(
            "return [...new Set(performance.getEntriesByType('resource')"
            ".map((entry) => new URL(entry.name).origin))]")
        self.assertEqual(hosts, [self.mock.url.rstrip("/")])

    def test_every_language_has_every_sentence(self):
        for part in ("", "staff"):
            with self.subTest(part=part):
                self.judge({path.stem: json.loads(path.read_text())
                            for path in (self.mock.page / "languages" / part).glob("*.json")})

    def judge(self, languages):
        self.assertEqual(set(languages), {"en", "ko", "de", "es", "fr", "ja"})
        for name, words in languages.items():
            self.assertEqual(list(words), list(languages["en"]), name)
            for key, sentence in words.items():
                self.assertTrue(sentence.strip(), f"{name}: {key}")
                marks = lambda text: sorted(part.split("}")[0] for part in text.split("{")[1:])
                self.assertEqual(marks(sentence), marks(languages["en"][key]), f"{name}: {key}")


if __name__ == "__main__":
    unittest.main()
