"""Pictures of every screen, for the README and to be looked at; see scripts/screenshots."""

import argparse
import pathlib
import time

from selenium.webdriver import ActionChains

import browser
import scenes
from browser import By, Keys
from mock_station import MockStation
from real_station import ROOT, RealStation


FAULTS = [{"source": "guests", "reason": "The camera 'front' is not plugged in", "secondsAgo": 754, "lasted": 4,
           "fix": "plug it in; it is found by itself", "code": "no-camera"}]


class Photographer:
    def __init__(self, driver, folder, sizes, languages):
        self.driver, self.folder, self.sizes, self.languages = driver, folder, sizes, languages
        self.count = 0

    def take(self, name, language, pause=0.35, sizes=None):
        """The screen in every size, or in these. The states must not end meanwhile."""
        for size_name in sizes or self.sizes:
            browser.resize(self.driver, self.sizes[size_name])
            time.sleep(pause)
            browser.save_picture(self.driver, self.folder / f"{name}-{size_name}-{language}.png")
            self.count += 1

    def real(self, station):
        """A guest's way through the program's own page, and the library."""
        driver = self.driver
        keys = lambda *names: ActionChains(driver).send_keys(*names).perform()
        for language in self.languages:
            station.post("cancel")
            driver.get(f"{station.url}?language={language}")
            browser.wait_screen(driver, "attract")
            driver.execute_script("document.documentElement.dataset.input = 'pointer'")
            browser.wait(lambda: driver.execute_script(
                "return document.getElementById('preview').dataset.frame"
                " && !document.getElementById('slides').hidden"), "a live picture and a slide")
            self.take("attract", language, 1.5)
            keys(Keys.SPACE)
            browser.wait_screen(driver, "countdown")
            self.take("countdown", language, 0.25)
            browser.wait(lambda: driver.execute_script(
                "return document.body.dataset.screen === 'review'"
                " && !document.getElementById('accept').hasAttribute('aria-disabled')"), "a review", 40)
            # As after a touch: without the ring around the button that has the focus.
            driver.execute_script("document.documentElement.dataset.input = 'pointer'")
            self.take("review", language)
            self.saved(station, language)
            browser.wait(lambda: driver.find_element(By.ID, "record").is_displayed(), "movies", 40)
            keys("m")
            browser.wait_screen(driver, "recording")
            self.take("recording", language, 0.5)
            keys(Keys.SPACE)
            browser.wait(lambda: driver.execute_script(
                "return document.getElementById('still-movie').currentTime > 0"
                " && !document.getElementById('accept').hasAttribute('aria-disabled')"), "a movie", 40)
            self.take("review-movie", language)
            keys(Keys.ENTER)
            browser.wait_screen(driver, "saved", 40)
            station.post("cancel")
            browser.wait_screen(driver, "attract")
            station.post("begin", {"source": "photoLibrary", "limit": 4, "edit": True, "movies": True})
            browser.wait_screen(driver, "library")
            tiles = browser.wait(lambda: driver.find_elements(By.CSS_SELECTOR, ".tile"), "the grid")
            for index in (2, 3):
                tiles[min(index, len(tiles) - 1)].click()
                time.sleep(0.3)
            self.take("library", language)
            browser.resize(driver, (1280, 800))
            browser.wait(lambda: driver.find_element(By.ID, "library-edit").is_displayed(), "a choice")
            driver.find_element(By.ID, "library-edit").click()
            browser.wait_screen(driver, "editor")
            browser.wait(lambda: driver.find_element(By.ID, "crop").is_displayed(), "the box")
            for _ in range(3):
                driver.find_element(By.CSS_SELECTOR, "[data-tool=closer]").click()
            self.take("editor", language)
            station.post("cancel")

    def saved(self, station, language):
        """A photo for each size: this screen ends soon."""
        driver, first = self.driver, True
        for size in self.sizes:
            if not first:
                station.post("shutter")
            first = False
            browser.wait(lambda: driver.execute_script(
                "return document.body.dataset.screen === 'review'"
                " && !document.getElementById('accept').hasAttribute('aria-disabled')"), "a review", 40)
            browser.resize(driver, self.sizes[size])
            time.sleep(0.3)
            ActionChains(driver).send_keys(Keys.ENTER).perform()
            browser.wait_screen(driver, "saved")
            self.take("saved", language, 0.1, [size])
            station.post("cancel")
            browser.wait_screen(driver, "attract")

    def staged(self, mock, names):
        for language in self.languages:
            self.driver.get(f"{mock.url}?language={language}")
            for name in names:
                browser.resize(self.driver, (1280, 800))
                scenes.settle(self.driver, mock, name)
                self.take(name, language)

    def operator(self, mock):
        for language in self.languages:
            mock.set(state="idle")
            mock.trouble("storage", 60000)
            mock.pin, mock.faults = None, FAULTS
            self.driver.get(f"{mock.url}?language={language}")
            browser.wait_screen(self.driver, "trouble")
            self.driver.execute_script("document.querySelector('.staff').click()")
            browser.wait(lambda: self.driver.find_elements(By.CSS_SELECTOR, ".check"), "the report")
            self.take("operator", language)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", nargs="?", default=ROOT / ".build/screenshots", type=pathlib.Path)
    parser.add_argument("--size", action="append")
    parser.add_argument("--language", action="append")
    parser.add_argument("--all", action="store_true")
    options = parser.parse_args()
    names = options.size or (list(browser.SIZES) if options.all else ["1920x1080", "1080x1920", "800x480"])
    sizes = {name: tuple(int(part) for part in name.split("x")) for name in names}
    languages = options.language or (["en", "ko", "de"] if options.all else ["en"])
    driver = browser.chromium(size=(1280, 800))
    browser.calm(driver)
    try:
        work = Photographer(driver, options.folder, sizes, languages)
        # The first picture of the documents is not to frighten.
        station = RealStation(countdown=0, review=60, at_end="accept", more="[movie]\nmaximum = 60")
        try:
            station.start()
            station.take(6)
            station.reload(countdown=max(3, 2 * len(sizes)))
            work.real(station)
        finally:
            station.close()
        mock = MockStation(photos=40).start()
        work.staged(mock, ["live", "countdown-last", "capturing", "review-edit", "saving-slow", "cancelled",
                           "failed", "library-movie", "trouble-camera", "trouble-storage", "sheet", "popover", "buttons-only", "saving-library", "photos", "photo-to-choose",
                           "languages", "pin"])
        mock.pin = None
        mock.set(pinRequired=False)
        work.operator(mock)
        print(f"{work.count} pictures in {options.folder}")
    finally:
        driver.quit()


if __name__ == "__main__":
    main()
