"""Tests that a second tap of any kind does nothing on a screen that appeared after the first one."""

import concurrent.futures
import itertools
import os
import time
import unittest

import browser
import scenes
from mock_station import MockStation
from test_screens import ScreenCase, SIZES

ALL = bool(os.environ.get("RETAKE_TEST_ALL"))
GAPS = (0.05, 0.12, 0.2, 0.3, 0.45, 0.6)
# The screens that have controls.
SCREENS = ("attract", "attract-movie", "live", "live-movie", "countdown", "recording", "review", "review-edit",
           "review-movie", "saved", "failed", "library", "editor", "trouble-camera", "saving-library", "sheet", "popover",
           "photos", "photo", "photo-to-choose")
# The commands that a single press sends, if they differ from the control's name.
SENDS = {"editor-done": ["edit", "accept"], "editor-back": ["back"], "take": ["shutter"], "record": ["record"],
         "library-use": ["accept"], "library-edit": ["editor"], "tile": ["select", "deselect"],
         "live-cancel": ["cancel"], "saving-cancel": ["cancel"],
         "viewer-choose": ["select", "deselect"], "picture": ["shutter", "record"]}
# The controls whose press sends no command.
SILENT = ("language", "photos", "look", "staff", "review-edit", "picture", "close", "viewer-before",
          "viewer-after")
CONTROLS = """
    const dialog = document.querySelector("dialog[open]"), found = [], tiles = [];
    const top = dialog ?? document.querySelector("#app > .shown");
    for (const one of [...top.querySelectorAll("button"), ...dialog ? [] : [document.getElementById("picture")]]) {
      const box = one.getBoundingClientRect();
      if (!box.width || one.disabled || one.matches(".tool") || !one.checkVisibility()) continue;
      if (one.matches(".tile, .look") && tiles.push(one) > 2) continue;
      const what = one.matches(".staff") ? "staff" : one.matches("[data-close]") ? "close" : one.id || one.dataset.command || one.classList[0];
      found.push([what, box.left + box.width / 2, box.top + box.height / 2]);
    }
    return found;"""


WATCH = """
    window.lost = false;
    window.watch ??= new MutationObserver(() => (window.lost ||= document.body.dataset.screen === "trouble"));
    window.watch.observe(document.body, {attributeFilter: ["data-screen"]});"""


class Guest:
    """One browser and one station."""

    def __init__(self):
        self.mock = MockStation(countdown=30, review=600).start()
        self.driver = browser.chromium()
        browser.calm(self.driver)
        self.driver.get(f"{self.mock.url}?language=de")
        browser.wait_screen(self.driver, "attract")

    def leave(self):
        self.driver.quit()
        self.mock.stop()

    def touch(self, kind, *points):
        self.driver.execute_cdp_cmd("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [
            {"x": x, "y": y, "id": identity} for identity, (x, y) in enumerate(points)]})

    def finger(self, point):
        self.touch("touchStart", point)
        self.touch("touchEnd")

    def mouse(self, point):
        for kind in ("mousePressed", "mouseReleased"):
            self.driver.execute_cdp_cmd("Input.dispatchMouseEvent", {
                "type": kind, "x": point[0], "y": point[1], "clickCount": 1, "button": "left", "buttons": 1})

    def key(self, point):
        """Enter on the control there, or on what the next screen gives the focus to."""
        self.driver.execute_script(
            "if (!window.pressed) document.elementFromPoint(...arguments).closest('button')?.focus();"
            "window.pressed = true;", *point)
        self.hold_key("Enter", False)
        self.driver.execute_cdp_cmd("Input.dispatchKeyEvent", {"type": "keyUp", "key": "Enter"})

    def hold_key(self, name, again):
        self.driver.execute_cdp_cmd("Input.dispatchKeyEvent", {
            "type": "keyDown", "key": name, "code": name, "windowsVirtualKeyCode": 13, "text": "\r",
            "autoRepeat": again})

    def prepare(self, name):
        self.driver.execute_script("for (const one of document.querySelectorAll('dialog[open]')) one.close()")
        scenes.settle(self.driver, self.mock, name)
        self.mock.set(settings={**self.mock.state["settings"], "slideshow": False})
        browser.wait(self.driver.rested, "controls that take presses")
        self.driver.execute_script("window.pressed = false")
        self.mock.log.clear()

    def sent(self):
        return [command for command, _ in self.mock.log if command != "extend"]

    def twice(self, screen, what, point, press, gap):
        """Returns the fault after two presses, or None."""
        began = time.monotonic()
        press(point)
        time.sleep(max(0, gap - (time.monotonic() - began)))
        press(point)
        # The answers, and what a click of the second press would send.
        time.sleep(0.12)
        silent = what in SILENT or screen == "photos" and what in ("tile", "cancel")
        late = time.monotonic() + 2
        while not self.sent() and not silent and time.monotonic() < late:
            time.sleep(0.05)
        sent, allowed = self.sent(), SENDS.get(what, [what])
        if not set(sent) <= set(allowed) or len(sent) > (2 if what == "editor-done" else 1):
            return f"the second press did something: {sent}"
        if not sent and not silent:
            return "the first press did nothing"
        for opener, there in (("language", "#languages[open]"), ("photos", "[data-screen=library].shown"),
                              ("look", "#viewer[open]")):
            if what == opener and not self.driver.execute_script(
                    "return document.querySelector(arguments[0])", there):
                return f"{there} is closed again"
        return None

    def screen(self, screen, size, gaps, every, presses):
        """Every control of one screen."""
        faults = []
        browser.resize(self.driver, size)
        self.prepare(screen)
        for what, *point in self.driver.execute_script(CONTROLS):
            for gap in GAPS if every else [next(gaps)]:
                press = getattr(self, next(presses))
                if press == self.key and what == "picture":
                    press = self.finger
                # A busy machine may lose the station for a moment: that is another test's matter.
                for _ in range(3):
                    self.prepare(screen)
                    self.driver.execute_script(WATCH)
                    fault = self.twice(screen, what, point, press, gap)
                    if not fault or not self.driver.execute_script("return window.lost"):
                        break
                if fault:
                    faults.append(f"{screen} {size} {what} by {press.__name__} after {gap} s: {fault}")
        return faults


class EveryControlTests(unittest.TestCase):
    def test_a_second_press_at_every_control_of_every_screen_loses_nothing(self):
        sizes = dict(SIZES) if ALL else {name: SIZES[name] for name in ("800x480", "480x800")}
        # In the short run each screen has its turn on one of the displays.
        cases = [case for turn, case in enumerate(itertools.product(SCREENS, sizes.items()))
                 if ALL or turn % 4 in (0, 3)]
        gaps = itertools.cycle(GAPS)
        presses = itertools.cycle(("finger", "mouse", "finger", "key"))

        # Nearly all of it is waiting: three guests at once.
        def work(share):
            guest, faults = Guest(), []
            try:
                for screen, (name, size) in share:
                    faults += guest.screen(screen, size, gaps, ALL and name in ("800x480", "480x800"), presses)
            finally:
                guest.leave()
            return faults
        with concurrent.futures.ThreadPoolExecutor(3) as pool:
            faults = sum(pool.map(work, [cases[0::3], cases[1::3], cases[2::3]]), [])
        self.assertEqual(faults, [])


class PressTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.guest = Guest()
        cls.addClassCleanup(cls.guest.leave)

    def setUp(self):
        browser.resize(self.guest.driver, (800, 480))

    def middle(self, selector):
        return self.guest.driver.execute_script(
            "const box = document.querySelector(arguments[0]).getBoundingClientRect();"
            "return [box.left + box.width / 2, box.top + box.height / 2]", selector)

    def test_a_finger_that_was_down_before_the_screen_came_presses_nothing_on_it(self):
        guest = self.guest
        guest.prepare("countdown")
        cancel = self.middle(".countdown [data-command=cancel]")
        guest.prepare("attract")
        # The second finger rests where Cancel will be, until long after the countdown has begun.
        guest.touch("touchStart", cancel)
        guest.mock.command("shutter", {})
        browser.wait_screen(guest.driver, "countdown")
        time.sleep(1)
        guest.touch("touchEnd")
        time.sleep(0.2)
        self.assertEqual(guest.sent(), [])
        # The page is not locked: the next press counts.
        guest.finger(cancel)
        browser.wait(lambda: guest.sent() == ["cancel"], "the cancel")

    def test_a_key_that_is_held_from_one_screen_into_the_next_presses_once(self):
        guest = self.guest
        guest.prepare("attract")
        guest.driver.execute_script("document.getElementById('take').focus()")
        guest.hold_key("Enter", False)
        browser.wait_screen(guest.driver, "countdown")
        time.sleep(0.9)
        guest.driver.execute_script("document.querySelector('.countdown [data-command=cancel]').focus()")
        for _ in range(5):
            guest.hold_key("Enter", True)
        time.sleep(0.2)
        self.assertEqual(guest.sent(), ["shutter"])

    def test_a_key_that_is_held_chooses_nothing_in_the_dialog_that_it_opens(self):
        guest = self.guest
        guest.prepare("attract")
        guest.driver.execute_script("document.getElementById('language').focus()")
        for turn in range(12):
            guest.hold_key("Enter", turn > 0)
            time.sleep(0.1)
        guest.driver.execute_cdp_cmd("Input.dispatchKeyEvent", {"type": "keyUp", "key": "Enter"})
        self.assertEqual(guest.driver.execute_script(
            "return [document.getElementById('languages').open, document.documentElement.lang]"), [True, "de"])

    def test_the_finger_that_opens_the_staffs_view_does_not_close_it(self):
        guest = self.guest
        for pin in (None, "2468"):
            guest.mock.pin = pin
            guest.mock.set(pinRequired=pin is not None)
            guest.prepare("trouble-storage")
            staff = self.middle(".staff")
            # Wherever the dialog's Close comes to lie, the finger is on it.
            guest.driver.execute_script(
                "const close = document.querySelector('#operator [data-close]'), place = arguments;"
                "new MutationObserver(() => Object.assign(close.style, {position: 'fixed', width: '12rem',"
                " left: place[0] - 60 + 'px', top: place[1] - 20 + 'px'})).observe("
                "document.getElementById('operator'), {attributeFilter: ['open']})", *staff)
            guest.touch("touchStart", staff)
            time.sleep(2.2)
            guest.touch("touchEnd")
            time.sleep(0.2)
            self.assertTrue(guest.driver.execute_script("return document.getElementById('operator').open"))
            guest.driver.refresh()
            browser.wait_screen(guest.driver, "trouble")
        guest.mock.pin = None
        guest.mock.set(pinRequired=False)

    def test_touching_the_picture_starts_and_goes_on(self):
        guest = self.guest
        for screen, selector in (("attract", "#picture"), ("saved", "#picture"), ("failed", "#failed-title")):
            guest.prepare(screen)
            guest.finger(self.middle(selector))
            browser.wait(lambda: guest.sent() == ["shutter"], f"the start from {screen}")
            browser.wait_screen(guest.driver, "countdown")
        guest.prepare("failed")
        guest.driver.execute_script("document.activeElement.blur()")
        guest.driver.execute_cdp_cmd("Input.dispatchKeyEvent", {"type": "keyDown", "key": " ", "code": "Space", "text": " "})
        guest.driver.execute_cdp_cmd("Input.dispatchKeyEvent", {"type": "keyUp", "key": " ", "code": "Space"})
        browser.wait(lambda: guest.sent() == ["shutter"], "the start by the space bar")
        # Where nobody may touch, nothing happens.
        guest.prepare("attract")
        guest.mock.set(showsCameraControls=False)
        browser.wait(lambda: not guest.driver.execute_script(
            "return document.getElementById('take').checkVisibility()"), "no controls")
        guest.finger(self.middle("#picture"))
        time.sleep(0.3)
        self.assertEqual(guest.sent(), [])
        guest.mock.set(showsCameraControls=True)


if __name__ == "__main__":
    unittest.main()
