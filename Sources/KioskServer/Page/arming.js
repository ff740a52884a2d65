// No tap means two things: a press that is meant for one screen does nothing on the next.
// Every press of the page passes here first, from finger, mouse and key alike.

/** How long controls rest once the screen has changed, in milliseconds. */
const REST = 700;
/** Keys that press something. */
const PRESSING = /^(Enter| |Escape|[a-z])$/i;
/** Controls that are pressed several times in a row; others rest once they are pressed. */
const MANY = ".tool, .pad button, .turn, .strip button";

/** When the screen changed last, and when single controls appeared on it. */
let changed = -Infinity;
const appeared = new WeakMap();
/** When the latest fingers, mouse buttons and keys went down. */
const downs = new Map();

/** Lets every control rest: the screen is another one, or is about to be. */
export function rest() {
  changed = note();
}

/** The present moment; the page's tests wait for the end of the rest that begins with it. */
function note() {
  const now = performance.now();
  document.body.dataset.armed = String(Math.ceil(now + REST));
  return now;
}

/** Whether a press that began at `since` is meant for `element` as it is now. */
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

/** Begins to watch the screen and the presses. */
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
    // Clicks of keys and screen readers have no pointer. Their moment counts.
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
    // A button is pressed by the space bar's way up.
    if (event.key === " " && !isMeant(event.target, downs.get(" ") ?? 0)) refuse(event);
  }, { capture: true });
  rest();
}
