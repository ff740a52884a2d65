"""The countdown leads the eye to the lens, covers neither face nor controls, and lights the face at its end."""

import time
import unittest

import browser
import scenes
from test_screens import ALL, LANGUAGES, ScreenCase

SIDES = ["top", "right", "bottom", "left"]
SIZES = [(480, 320), (800, 480), (480, 800), (600, 1024), (1024, 600), (1280, 720), (1920, 1080), (1080, 1920),
         (390, 844)]

# The script that finds what the pointer covers, and where it leaves the display, at the start,
# middle and end of the number's way.
FAULTS = r"""
const done = arguments[0];
requestAnimationFrame(() => requestAnimationFrame(() => done(judgeAll())));
function judgeAll() {
const lens = document.getElementById("lens"), number = document.getElementById("count-number"), faults = [];
const box = (element) => { const b = element.getBoundingClientRect();
  return { left: b.left, top: b.top, right: b.right, bottom: b.bottom, name: element.id || element.textContent.trim() || element.tagName }; };
const others = [...document.querySelectorAll("#frame, #app .shown button, #app .shown .discs")]
  .filter((element) => element.checkVisibility()).map(box);
const words = (element) => { const range = document.createRange(); range.selectNodeContents(element);
  const b = range.getBoundingClientRect(), own = element.getBoundingClientRect(), size = parseFloat(getComputedStyle(element).fontSize);
  // The line's height stands in for the letters'.
  const middle = (own.top + own.bottom) / 2;
  return { left: b.left, right: b.right, top: middle - size * .45, bottom: middle + size * .45, name: element.textContent }; };
const judge = (part, when) => {
  if (part.left < -1 || part.top < -1 || part.right > innerWidth + 1 || part.bottom > innerHeight + 1)
    faults.push(`${part.name} leaves the display ${when}`);
  for (const other of others)
    if (Math.min(part.right, other.right) - Math.max(part.left, other.left) > 1
      && Math.min(part.bottom, other.bottom) - Math.max(part.top, other.top) > 1)
      faults.push(`${part.name} covers ${other.name} ${when}`);
};
const [frame, ...controls] = others;
if (!controls.length) faults.push("there is no control");
for (const control of controls) if (Math.min(frame.right, control.right) - Math.max(frame.left, control.left) > 1
  && Math.min(frame.bottom, control.bottom) - Math.max(frame.top, control.top) > 1) faults.push("a control covers the face");
for (const element of [lens.querySelector("svg"), document.getElementById("look")])
  judge(element.id ? words(element) : box(element), "");
judge(words(number), "without movement");
const arrow = box(lens.querySelector("svg")), look = words(document.getElementById("look"));
if (Math.min(look.right, arrow.right) - Math.max(look.left, arrow.left) > 1
  && Math.min(look.bottom, arrow.bottom) - Math.max(look.top, arrow.top) > 1) faults.push("the words cover the arrow");
const start = "translate(var(--x, 0px), var(--y, 0px))";
for (const [when, transform] of [["at the start", start], ["in the middle", `translate(calc(var(--x, 0px) / 2), calc(var(--y, 0px) / 2)) scale(.75)`], ["at the end", "scale(.5)"]]) {
  number.style.transform = transform;
  judge(words(number), when);
}
number.style.transform = "";
return faults;
}
"""
MEASURES = r"""
const height = (element) => element.getBoundingClientRect().height / innerHeight;
return { arrow: height(document.querySelector("#lens svg")), number: parseFloat(getComputedStyle(document.getElementById("count-number")).fontSize) / innerHeight,
  words: parseFloat(getComputedStyle(document.getElementById("look")).fontSize) / innerHeight };
"""


class LightCase(ScreenCase):
    def count(self, milliseconds, **settings):
        self.mock.set(state="idle")
        browser.wait_screen(self.driver, "attract")
        self.mock.set(settings={**self.mock.state["settings"], **settings})
        self.mock.set(state="countdown", source="camera", remainingMs=milliseconds, totalMs=milliseconds)
        browser.wait_screen(self.driver, "countdown")

    def lit(self):
        return self.driver.execute_script(
            "return document.getElementById('app').classList.contains('lit')"
            " && Number(getComputedStyle(document.getElementById('fill')).opacity) > 0.9")


class PointerTests(LightCase):
    def test_the_pointer_covers_neither_face_nor_controls_wherever_the_lens_is(self):
        for language in LANGUAGES if ALL else ("ja",):
            self.open(language)
            for side in SIDES:
                self.count(59900, lens=side)
                for size in SIZES:
                    with self.subTest(language=language, lens=side, size=size):
                        browser.resize(self.driver, size)
                        self.assertEqual(self.driver.execute_async_script(FAULTS), [])
                        if size[0] > size[1]:
                            measures = self.driver.execute_script(MEASURES)
                            self.assertTrue(0.12 <= measures["arrow"] <= 0.15, measures)
                            self.assertTrue(0.12 <= measures["number"] <= 0.15, measures)
                            self.assertTrue(0.115 <= measures["words"] <= 0.15, measures)

    def test_a_wide_picture_leaves_room_for_the_pointer_too(self):
        self.open("en")
        before = self.mock.state["preview"]
        self.addCleanup(self.mock.set, preview=before)
        whole = {"x": 0, "y": 0, "width": 1280, "height": 720}
        for side in SIDES if ALL else ("top", "left"):
            self.mock.set(preview={**before, "crop": whole})
            self.count(9900, lens=side)
            for size in [(320, 240), (800, 480), (480, 800), (3840, 2160)]:
                with self.subTest(lens=side, size=size):
                    browser.resize(self.driver, size)
                    self.assertEqual(self.driver.execute_async_script(FAULTS), [])

    def test_the_picture_lies_below_the_arrow_and_the_last_words_in_the_middle(self):
        self.open("de")
        middle = ("const {left, right} = arguments[0].getBoundingClientRect(); return (left + right) / 2 - innerWidth / 2")
        sizes = [(480, 320), (800, 480), (1024, 600), (1024, 768), (1280, 720), (1920, 1080), (480, 800)]
        for screen, what in (("countdown", "frame"), ("capturing", "frame"), ("capturing", "look")):
            scenes.settle(self.driver, self.mock, screen)
            for size in sizes + [(320, 240)] * (what == "look"):
                with self.subTest(screen=screen, what=what, size=size):
                    browser.resize(self.driver, size)
                    self.assertAlmostEqual(self.driver.execute_script(
                        middle, self.driver.find_element(browser.By.ID, what)), 0, delta=2)

    def test_the_picture_stays_where_it_was_when_it_is_taken(self):
        self.open("de")
        place = "const {left, top, width} = document.getElementById('frame').getBoundingClientRect(); return [left, top, width]"
        for size in [(320, 240), (480, 320), (800, 480), (480, 800)]:
            browser.resize(self.driver, size)
            self.count(5000, lens="top")
            before = self.driver.execute_script(place)
            self.mock.set(state="capturing")
            browser.wait_screen(self.driver, "capturing")
            with self.subTest(size=size):
                self.assertEqual(self.driver.execute_script(place), before)

    def test_the_number_moves_to_the_lens_and_stands_still_for_who_asks_for_less_movement(self):
        browser.calm(self.driver, False)
        self.addCleanup(browser.calm, self.driver)
        self.open("en")
        ways = "return document.getElementById('count-number').getAnimations().length"
        self.count(5000, lens="top")
        browser.wait(lambda: self.driver.execute_script(ways), "the number's way")
        place = lambda at: self.driver.execute_script(
            "const [way] = document.getElementById('count-number').getAnimations(); way.pause();"
            "way.currentTime = arguments[0]; const box = document.getElementById('count-number').getBoundingClientRect();"
            "return [Math.abs((box.left + box.right) / 2 - innerWidth / 2), box.height]", at)
        far, large = place(500)
        near, small = place(1000)
        self.assertLess(near, far / 2)
        self.assertLess(small, large * 0.6)
        browser.calm(self.driver)
        self.count(5000)
        self.assertEqual(self.driver.execute_script(ways), 0)


class FillTests(LightCase):
    def test_the_screen_lights_the_face_for_the_last_moment_only(self):
        self.open("en")
        self.count(1800, fillLight=True)
        self.assertFalse(self.lit())
        began = time.monotonic()
        browser.wait(self.lit, "the light", 5)
        self.assertGreater(time.monotonic() - began, 0.8)
        covered = self.driver.execute_script(
            "const box = document.getElementById('frame').getBoundingClientRect();"
            "return [.1, .5, .9].flatMap((x) => [.1, .5, .9].map((y) => document.elementFromPoint("
            "box.left + x * box.width, box.top + y * box.height))).filter((e) => !e.closest('#frame')).length")
        self.assertEqual(covered, 0)
        self.mock.set(state="capturing")
        browser.wait_screen(self.driver, "capturing")
        self.assertFalse(self.lit())

    def test_the_light_is_a_setting(self):
        self.open("en")
        self.count(500, fillLight=False)
        time.sleep(0.6)
        self.assertFalse(self.lit())

    def test_a_cancelled_countdown_leaves_no_light(self):
        self.open("en")
        self.count(300, fillLight=True)
        browser.wait(self.lit, "the light", 5)
        self.mock.set(state="cancelled")
        browser.wait_screen(self.driver, "cancelled")
        self.assertFalse(self.lit())

    def test_the_guest_is_told_once_the_photo_is_taken(self):
        self.open("en")
        scenes.settle(self.driver, self.mock, "capturing")
        self.assertEqual(self.driver.find_element(browser.By.ID, "look").text, "Got it!")


class DiscTests(LightCase):
    """The booth's panel on the screen."""

    def discs(self, selector):
        return self.driver.execute_script("""
            return [...document.querySelectorAll(arguments[0] + " .disc")].map((disc) => {
              const box = disc.getBoundingClientRect();
              return [disc.dataset.colour, disc.classList.contains("on"), disc.classList.contains("lit"),
                disc.querySelector("use")?.getAttribute("href") ?? null, Math.round(box.left), Math.round(box.top)];
            })""", selector)

    def test_discs_lie_as_on_the_panel_and_say_what_a_press_means(self):
        self.open("en")
        scenes.settle(self.driver, self.mock, "panel-attract")
        # The screen before is the same one.
        discs = browser.wait(lambda: {disc[0]: disc[1:] for disc in self.discs(".attract .hint")}, "the panel")
        self.assertEqual(discs["white"][:3], [True, True, "#i-camera"])
        self.assertEqual([discs[one][:3] for one in ("red", "yellow", "green")], [[False, False, None]] * 3)
        left = [discs[one][3] for one in ("red", "yellow", "white", "green")]
        self.assertEqual(left, sorted(set(left)))
        self.assertGreater(discs["white"][4], max(discs[one][4] for one in ("red", "yellow", "green")))
        scenes.settle(self.driver, self.mock, "panel-review")
        for command, colour in (("accept", "green"), ("retake", "yellow"), ("cancel", "red")):
            on = [disc[0] for disc in self.discs(f".review [data-command={command}]") if disc[1]]
            self.assertEqual(on, [colour], command)
        scenes.settle(self.driver, self.mock, "panel-saved")
        lit = [disc[0] for disc in self.discs(".saved .hint") if disc[2]]
        self.assertEqual(lit, ["green"])

    def test_a_booth_with_one_button_shows_what_it_does_in_the_review(self):
        self.open("en")
        one = {**scenes.disc("one", "blue", 1), "inReview": "accept"}
        self.mock.set(panel=[one])
        self.addCleanup(self.mock.set, panel=[])
        scenes.reviewing(self.mock)
        browser.wait_screen(self.driver, "review")
        self.assertEqual([disc[:2] for disc in self.discs(".review .accept")], [["blue", True]])
        self.assertEqual(self.discs(".review [data-command=retake]"), [])

    def test_without_colours_the_labels_stay(self):
        self.open("en")
        scenes.settle(self.driver, self.mock, "review")
        self.assertEqual(self.discs(".review"), [])

    def test_discs_are_in_step_with_the_lamps(self):
        """The same moments as in LampPatternTests."""
        self.open("en")
        cases = [(3600, False), (3400, True), (3100, True), (2900, False), (2700, True), (1900, False), (1130, False),
                 (1120, True), (1000, False), (930, True), (130, True), (120, False), (62, True), (1, True), (0, False)]
        browser.calm(self.driver, False)
        self.addCleanup(browser.calm, self.driver)
        lit = self.driver.execute_async_script("""
            const [lefts, done] = arguments;
            import("/page/discs.js").then(({ lamp }) => done(lefts.map((left) => {
              const state = { state: "countdown", received: 0, remainingMs: 10000 };
              return lamp("countdown", state, 10000 - left)[0];
            })))""", [left for left, _ in cases])
        self.assertEqual(list(zip([left for left, _ in cases], lit)), cases)
        steady = self.driver.execute_async_script("""
            const [done] = arguments;
            import("/page/discs.js").then(({ lamp }) => done(
              [["ready", { state: "idle" }], ["ready", { state: "idle", trouble: {} }], ["error", { state: "idle", trouble: {} }],
               ["ready", { state: "reviewing" }], ["saved", { state: "finished" }], ["saved", { state: "idle" }],
               ["error", { state: "failed", received: 0 }]].map(([role, state]) => lamp(role, state, 10)[0])))""")
        self.assertEqual(steady, [True, False, True, False, True, False, True])


if __name__ == "__main__":
    unittest.main()
