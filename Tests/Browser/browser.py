"""Chromium for the tests beside this file: Debian's browser, its driver, and Selenium."""

import base64
import json
import os
import pathlib
import tempfile
import time

from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

CACHE = pathlib.Path(os.environ.get("RETAKE_BROWSER_CACHE")
                     or pathlib.Path.home() / ".cache/retake/browser")
# How much longer everything may take: more than 1 on a machine that is busy with other things.
PATIENCE = float(os.environ.get("RETAKE_TEST_PATIENCE") or 1)
SIZES = {"480x320": (480, 320), "800x480": (800, 480), "1080x1920": (1080, 1920),
         "1920x1080": (1920, 1080), "3840x2160": (3840, 2160),
         "320x240": (320, 240), "480x800": (480, 800), "600x1024": (600, 1024), "390x844": (390, 844)}

# The script that finds controls that are cut off, covered, or out of reach.
LAYOUT_FAULTS = pathlib.Path(__file__).with_name("faults.js").read_text()


class Chromium(webdriver.Chrome):
    """A browser whose guest presses nothing before the screen takes presses, see arming.js.

    What is meant to come too early is sent by `execute_cdp_cmd`.
    """

    def execute(self, command, params=None):
        if command in ("clickElement", "actions", "sendKeysToElement") or (
                command == "w3cExecuteScript" and ".click()" in params["script"]):
            wait(lambda: self.rested(), "controls that take presses")
        return super().execute(command, params)

    def rested(self):
        return super().execute("w3cExecuteScript", {"args": [], "script":
            "return performance.now() >= Number(document.body?.dataset.armed ?? 0)"})["value"]


def chromium(language="en", size=(1280, 720), touch=False):
    """A browser of its own, without a window, with nothing of an earlier one."""
    profile = tempfile.TemporaryDirectory(prefix="retake-browser-")
    options = webdriver.ChromeOptions()
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                     "--no-first-run", "--disable-component-update", "--disable-background-networking",
                     "--autoplay-policy=no-user-gesture-required", "--force-device-scale-factor=1",
                     "--js-flags=--expose-gc", "--enable-precise-memory-info",
                     f"--user-data-dir={profile.name}", f"--lang={language}"):
        options.add_argument(argument)
    options.add_experimental_option("prefs", {"intl.accept_languages": language})
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "OFF"})
    options.binary_location = "/usr/bin/chromium"
    driver = Chromium(service=Service("/usr/bin/chromedriver"), options=options)
    driver.profile = profile
    driver.set_script_timeout(60)
    resize(driver, size)
    return driver


def resize(driver, size):
    width, height = size
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
        "width": width, "height": height, "deviceScaleFactor": 1, "mobile": False})


def calm(driver, on=True):
    """The guest's system asks for less movement; animations are then off, so pictures are the same."""
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [
        {"name": "prefers-reduced-motion", "value": "reduce" if on else "no-preference"}]})


def screen(driver):
    return driver.execute_script("return document.body.dataset.screen")


def wait(condition, what, seconds=20.0):
    """Polls for a condition; the limit only ends a test that has failed already."""
    end = time.monotonic() + seconds * PATIENCE
    while True:
        value = condition()
        if value:
            return value
        if time.monotonic() > end:
            raise AssertionError(f"{what}: not within {seconds} s")
        time.sleep(0.03)


def wait_screen(driver, name, seconds=20.0):
    wait(lambda: screen(driver) == name, f"screen {name} (it is {screen(driver)})", seconds)


def save_picture(driver, path):
    shot = driver.execute_cdp_cmd("Page.captureScreenshot", {"format": "png"})
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(base64.b64decode(shot["data"]))


def layout(driver, languages):
    """Returns for each language, shown in turn, the layout faults and the places of the controls."""
    return driver.execute_async_script("""
        const [languages, done] = arguments, found = {}, check = () => { %s };
        const pause = () => new Promise((end) => setTimeout(end));
        const drawn = () => new Promise((end) => requestAnimationFrame(() => requestAnimationFrame(end)));
        (async () => {
          await drawn();
          for (const language of languages) {
            dispatchEvent(new CustomEvent("language", {detail: language}));
            do await pause(); while (document.documentElement.lang !== language);
            found[language] = check();
          }
        })().then(() => done(found), (error) => done({error: [String(error)]}));"""
        % LAYOUT_FAULTS, languages)


def console_errors(driver):
    """Returns the errors on the page's console, without those of a stopped station's requests."""
    return [entry["message"] for entry in driver.get_log("browser")
            if entry["level"] == "SEVERE" and "net::ERR_" not in entry["message"]
            and "status of 4" not in entry["message"]]


def axe_source():
    """The newest axe that `prepare` put into the cache."""
    found = sorted(CACHE.glob("axe/**/axe.min.js"))
    if not found:
        raise FileNotFoundError(f"no axe.min.js below {CACHE}; see Tests/Browser/prepare")
    return found


def axe(driver, source):
    """The violations that axe finds, each as one line."""
    driver.execute_script(source + "; window.axe = axe;")
    result = driver.execute_async_script(
        "const done = arguments[0];"
        "axe.run(document, {resultTypes: ['violations']}).then(done, (e) => done({error: String(e)}))")
    if "error" in result:
        raise AssertionError(result["error"])
    lines = []
    for violation in result["violations"]:
        for node in violation["nodes"]:
            reason = " ".join((node.get("failureSummary") or "").split())
            lines.append(f"{violation['id']}: {node['html'][:120]} ({reason[:200]})")
    return lines


__all__ = ["By", "Keys", "CACHE", "PATIENCE", "SIZES", "axe", "axe_source", "calm", "chromium",
           "console_errors", "json", "layout", "resize", "save_picture", "screen", "wait", "wait_screen"]
