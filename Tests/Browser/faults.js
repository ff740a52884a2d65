// What is cut off, covered, out of reach, too small, or outside of the display; what cannot be seen
// does not count. `browser.layout_faults` runs it in the page, in one language after the other.
const faults = [], width = innerWidth, height = innerHeight;
const words = (element) => (element.innerText ?? "").trim().slice(0, 40);
const name = (element) => `${element.tagName} ${element.id || element.className} "${words(element)}"`;
const shown = (element) => element.checkVisibility({ opacityProperty: true, visibilityProperty: true });
const top = document.querySelector("dialog[open]") ?? document.querySelector("#app");
const skipped = "svg, .unseen, .slides, .gallery";
const inner = (element) => {
  const { left, top, right, bottom } = element.getBoundingClientRect();
  return { left, top, right, bottom };
};
const common = (a, b) => ({ left: Math.max(a.left, b.left), top: Math.max(a.top, b.top),
  right: Math.min(a.right, b.right), bottom: Math.min(a.bottom, b.bottom) });
const scroller = (element) => {
  for (let one = element.parentElement; one && one !== document.body; one = one.parentElement) {
    if (/auto|scroll/.test(getComputedStyle(one).overflowY)) return one;
  }
  return null;
};
const leaves = (a, b, by) => a.left < b.left - by || a.top < b.top - by || a.right > b.right + by || a.bottom > b.bottom + by;
const display = { left: 0, top: 0, right: width, bottom: height };

// Controls: each of five points belongs to the control.
const controls = [...top.querySelectorAll("button, summary, a")].filter((one) => shown(one) && !one.closest(skipped));
for (const control of controls) {
  let box = inner(control);
  if (box.right - box.left < 1) continue;
  if (Math.min(box.right - box.left, box.bottom - box.top) < 40) {
    faults.push(`too small to touch: ${name(control)} ${Math.round(box.right - box.left)}x${Math.round(box.bottom - box.top)}`);
  }
  const scrolls = scroller(control);
  if (scrolls) box = common(box, inner(scrolls));
  else if (leaves(box, display, 1)) {
    faults.push(`outside: ${name(control)} ${JSON.stringify(box)}`);
    continue;
  }
  if (box.bottom - box.top < 12 || box.right - box.left < 12) continue;
  for (const [x, y] of [[0.5, 0.5], [0.12, 0.2], [0.88, 0.2], [0.12, 0.8], [0.88, 0.8]]) {
    const hit = document.elementFromPoint(box.left + (box.right - box.left) * x, box.top + (box.bottom - box.top) * y);
    // A control on a tile has its own place there.
    if (control.contains(hit) || (control.matches(".tile") && hit?.closest(".look"))) continue;
    faults.push(`out of reach: ${name(control)} at ${x}, ${y}: ${hit ? name(hit) : "nothing"}`);
    break;
  }
  if (control.scrollWidth > control.clientWidth + 2) faults.push(`runs over: ${name(control)}`);
}

// Pictures on a control are whole.
for (const control of controls) for (const badge of control.querySelectorAll("svg, kbd, .length")) {
  if (!shown(badge)) continue;
  const box = inner(badge), scrolls = scroller(control);
  if (leaves(box, inner(control), 2) && getComputedStyle(control).overflow !== "visible") faults.push(`cut on: ${name(control)}`);
  const tile = control.matches(".look") ? control.closest(".cell") : null;
  if (tile && leaves(box, inner(tile), 1)) faults.push(`sticks out of its tile: ${name(control)}`);
  if (!scrolls && leaves(box, display, 1)) faults.push(`outside: picture on ${name(control)}`);
}
// Nothing is scrolled sideways.
for (const one of [top, ...top.querySelectorAll("*")]) {
  if (/auto|scroll/.test(getComputedStyle(one).overflowX) && one.scrollWidth > one.clientWidth + 1 && shown(one)) {
    faults.push(`scrolls sideways: ${name(one)}`);
  }
}

/** Whether a line ends inside a word, of letters that are written with spaces between words. */
function broken(text) {
  const range = document.createRange();
  for (const { 0: word, index } of text.data.matchAll(/[\p{Script=Latin}\u2019]{2,}/gu)) {
    range.setStart(text, index);
    range.setEnd(text, index + word.length);
    if (new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1) return true;
  }
  return false;
}

// Text: each line is on the display, in its box, and under nothing.
const sheet = new CSSStyleSheet();
sheet.replaceSync("#app *:not(.lens, #fill), dialog * { pointer-events: auto !important; }");
document.adoptedStyleSheets = [sheet];
const walk = document.createTreeWalker(top, NodeFilter.SHOW_TEXT);
for (let node = walk.nextNode(); node; node = walk.nextNode()) {
  const owner = node.parentElement;
  if (!node.data.trim() || !shown(owner) || owner.closest(skipped)) continue;
  // Only for screen readers.
  if (getComputedStyle(owner).clipPath === "inset(50%)") continue;
  const style = getComputedStyle(owner);
  if (parseFloat(style.fontSize) < 16) faults.push(`small: ${name(owner)}`);
  const range = document.createRange();
  range.selectNodeContents(node);
  const scrolls = scroller(owner);
  for (const line of range.getClientRects()) {
    if (line.width < 1) continue;
    if (scrolls && leaves(line, inner(scrolls), 0)) continue;
    // A line's box is higher than its letters.
    const slack = 2 + line.height * 0.15;
    // A word in two pieces is read by nobody.
    if (owner.matches("h1, h1 *") && broken(node)) faults.push(`broken word: ${name(owner)}`);
    if (leaves(line, display, slack)) faults.push(`outside: ${name(owner)} ${JSON.stringify(line)}`);
    for (let one = owner; one && one !== scrolls && one !== document.body; one = one.parentElement) {
      if (getComputedStyle(one).overflowY !== "visible" && leaves(line, inner(one), slack)) {
        faults.push(`cut: ${name(owner)} by ${one.tagName} ${one.id || one.className}`);
        break;
      }
    }
    for (const x of [line.left + 2, (line.left + line.right) / 2, line.right - 2]) {
      const hit = document.elementFromPoint(x, (line.top + line.bottom) / 2);
      if (!hit || owner.contains(hit) || hit.contains(owner)) continue;
      faults.push(`covered: ${name(owner)} by ${name(hit)}`);
      break;
    }
  }
}
document.adoptedStyleSheets = [];

// Words and controls stand side by side, and none on the picture.
const seen = [...top.querySelectorAll("button, h1, h2, p, output, .frame")].filter((one) =>
  shown(one) && one.getBoundingClientRect().width && !one.closest(skipped)
  && (one.matches(".frame") || !one.closest(".frame, .toast, .lens, .scroll, .report, .list")));
for (const [index, one] of seen.entries()) for (const two of seen.slice(index + 1)) {
  if (one.contains(two) || two.contains(one)) continue;
  const { left, top, right, bottom } = common(inner(one), inner(two));
  if (right - left > 2 && bottom - top > 2) faults.push(`over each other: ${name(one)} and ${name(two)}`);
}
const places = controls.filter((one) => !scroller(one)).map((one) => ({ ...inner(one), what:
  one.id || one.dataset.command || one.className }));
return { faults, places };
