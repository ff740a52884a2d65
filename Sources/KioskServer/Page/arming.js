// A press counts only for the screen on which it began. Every press passes here first, from finger,
// mouse and key alike.

/** The time in milliseconds for which controls ignore presses after the screen has changed. */
const REST = 700;
/** The keys that press a control. */
const PRESSING = /^(Enter| |Escape|[a-z])$/i;
/** Controls that may be pressed several times in a row; others ignore presses for a while after each. */
const MANY = ".tool, .pad button, .turn, .strip button";

/** The time of the last change of screen, and the times at which single controls appeared. */
let changed = -Infinity;
const appeared = new WeakMap();
/** The times at which the latest fingers, mouse buttons and keys went down. */
const downs = new Map();

/** Makes every control ignore presses for a while, because the screen changes. */
export function rest() {
  changed = note();
}

/** Returns the present time; the page's tests read when the pause that begins now will end. */
function note() {
  const now = performance.now();
  document.body.dataset.armed = String(Math.ceil(now + REST));
  return now;
}

/** Returns whether a press that began at `since` is meant for `element` in its present state. */
function isMeant(element, since) {
  let from = changed;
  for (let one = element; one; one = one.parentElement) from = Math.max(from, appeared.get(one) ?? from);
  return since >= from + REST;
}

function down(name) {
  downs.delete(name);
  downs.set(name, performance.now());
  if (downs.size > 16) downs.delete(downs.keys().next().value);
}

function refuse(event) {
  event.preventDefault();
  event.stopImmediatePropagation();
}

/** Starts to watch the screen and the presses. */
export function guard() {
  const watched = { subtree: true, attributeFilter: ["data-screen", "open", "hidden"] };
  new MutationObserver((changes) => {
    for (const { target, attributeName } of changes) {
      if (target.matches("body, dialog")) rest();
      else if (attributeName === "hidden" && !target.hidden && target.matches("button, :has(button)")) appeared.set(target, note());
    }
  }).observe(document.body, watched);
  addEventListener("pointerdown", (event) => down(event.pointerId), { capture: true, passive: true });
  addEventListener("click", (event) => {
    // Clicks of keys and screen readers have no pointer, so the time of the click counts.
    const since = (event.detail && downs.get(event.pointerId)) || performance.now();
    if (!isMeant(event.target, since)) return refuse(event);
    const control = event.target.closest?.("button");
    if (control && !control.matches(MANY)) appeared.set(control, note());
  }, { capture: true });
  addEventListener("keydown", (event) => {
    if (!PRESSING.test(event.key)) return;
    if (event.repeat) return refuse(event);
    down(event.key);
    if (!isMeant(event.target, performance.now())) refuse(event);
  }, { capture: true });
  addEventListener("keyup", (event) => {
    // The space bar presses a button when it goes up.
    if (event.key === " " && !isMeant(event.target, downs.get(" ") ?? 0)) refuse(event);
  }, { capture: true });
  rest();
}
