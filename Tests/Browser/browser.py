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
         "1920x1080": (1920, 1080), "3840x2160": (3840, 2160)}

# What is cut off, too small, or outside the display; what cannot be seen does not count.
LAYOUT_FAULTS = r"""
const faults = [], width = innerWidth, height = innerHeight;
const words = (element) => (element.innerText ?? "").trim().slice(0, 40);
const shown = (element) => element.checkVisibility({ opacityProperty: true, visibilityProperty: true });
const top = document.querySelector("dialog[open]") ?? document.querySelector("#app");
for (const element of top.querySelectorAll("h1, h2, p, button, kbd, output, .name, .left, dd, b")) {
  if (!shown(element) || element.closest("svg, .unseen, .slides")) continue;
  const box = element.getBoundingClientRect();
  if (!box.width || !box.height) continue;
  const text = words(element);
  const scrolls = element.closest(".scroll, .report, .list");
  if (!scrolls && (box.left < -1 || box.top < -1 || box.right > width + 1 || box.bottom > height + 1)) {
    faults.push(`outside: ${element.tagName} ${element.id} "${text}" ${JSON.stringify(box)}`);
  }
  if (text && parseFloat(getComputedStyle(element).fontSize) < 16) {
    faults.push(`small: ${element.tagName} "${text}"`);
  }
  if (element.scrollWidth > element.clientWidth + 2 && getComputedStyle(element).overflowX === "hidden") {
    faults.push(`cut: ${element.tagName} "${text}"`);
  }
  if (element.tagName === "BUTTON" && !scrolls && Math.min(box.width, box.height) < 40) {
    faults.push(`too small to touch: "${text}" ${Math.round(box.width)}x${Math.round(box.height)}`);
  }
}
const seen = [...top.querySelectorAll("button, h1, p, .frame")].filter((element) =>
  shown(element) && element.getBoundingClientRect().width && !element.closest(".frame, .toast, .lens, dialog, .scroll")
  || element.matches(".frame") && shown(element));
const over = document.body.dataset.screen === "attract" && innerWidth < innerHeight ? ".language" : ".none";
for (const [index, one] of seen.entries()) for (const two of seen.slice(index + 1)) {
  if (one.contains(two) || two.contains(one) || one.matches(over) || two.matches(over)) continue;
  const a = one.getBoundingClientRect(), b = two.getBoundingClientRect();
  const across = Math.min(a.right, b.right) - Math.max(a.left, b.left);
  const down = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
  if (across > 2 && down > 2) faults.push(`over each other: ${one.tagName} "${words(one)}" and ${two.tagName} "${words(two)}"`);
}
return faults;
"""


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
    driver = webdriver.Chrome(service=Service("/usr/bin/chromedriver"), options=options)
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


def console_errors(driver):
    """What the page complained of; that a stopped station does not answer is no complaint."""
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


__all__ = ["By", "Keys", "CACHE", "PATIENCE", "SIZES", "LAYOUT_FAULTS", "axe", "axe_source", "calm", "chromium",
           "console_errors", "json", "resize", "save_picture", "screen", "wait", "wait_screen"]
