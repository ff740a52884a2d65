// Leads the guest's eye to the lens during the countdown, and lights the face at its end.
import { $, isCalm, write } from "./dom.js";
import { t } from "./text.js";

/** The time in milliseconds before the exposure at which the screen starts to light the face. */
const LIGHT = 400;

let exposure = null;
let timer = null;

/** Points at the lens until the exposure at `end`, by performance.now(). */
export function pose({ lens = "top", fillLight = true } = {}, end) {
  document.body.dataset.lens = lens;
  $("lens").classList.remove("over");
  $("lens").hidden = false;
  // The station sent the same exposure again.
  if (exposure !== null && Math.abs(end - exposure) < 250) return;
  exposure = end;
  dark();
  if (!fillLight) return;
  timer = setTimeout(() => {
    $("app").classList.add("lit");
    $("fill").animate([{ opacity: 0 }, { opacity: 1 }], { duration: isCalm() ? 250 : 50, fill: "forwards" });
  }, Math.max(0, end - performance.now() - LIGHT));
}

/** Shows at the lens that the exposure is over. */
export function over({ lens = "top" } = {}, words) {
  document.body.dataset.lens = lens;
  leave();
  write($("look"), words);
  $("lens").classList.add("over");
  $("lens").hidden = false;
}

/** Removes the hints at the lens and ends the light. */
export function leave() {
  exposure = null;
  dark();
  $("lens").hidden = true;
}

function dark() {
  clearTimeout(timer);
  $("app").classList.remove("lit");
  for (const animation of $("fill").getAnimations()) animation.cancel();
}

/** Makes a number shrink and travel to the lens within its second. */
export function number(shown, words) {
  const element = $("count-number");
  write(element, String(shown));
  write($("look"), words);
  for (const way of element.getAnimations()) way.cancel();
  if (isCalm()) return;
  const start = "translate(var(--x, 0px), var(--y, 0px))";
  element.animate([{ transform: `${start} scale(.6)`, opacity: 0 }, { transform: `${start} scale(1)`, opacity: 1, offset: 0.15 },
    { transform: "scale(.5)", opacity: 1 }], { duration: 1000, easing: "ease-in", fill: "forwards" });
}

/** Sizes the words for the longest of them in the guest's language. */
export function fit() {
  const context = document.createElement("canvas").getContext("2d");
  context.font = `700 100px ${getComputedStyle(document.body).fontFamily}`;
  const widths = ["countdown.look", "countdown.smile", "capturing"].map((key) => context.measureText(t(key)).width);
  $("app").style.setProperty("--ems", (Math.max(...widths) / 100 + 0.05).toFixed(2));
}
