// Made by scripts/lib/embed-page; edit the files in Page instead.
// swift-format-ignore-file

/// A file of the page that is built in.
struct PageLiteral: Sendable {
  var name: String
  var tag: String
  var text: StaticString
}

/// The page, file by file.
enum PageAssets {
  static let all: [PageLiteral] = [
    PageLiteral(
      name: "arming.js", tag: "\"524c5afd1a0527c5\"",
      text: #"""
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

"""#),
    PageLiteral(
      name: "base.css", tag: "\"21d144b8aa575c47\"",
      text: #"""
/* Colours, type, and the controls that every screen shares. Only transform and opacity move: a
   small Pi composites those without painting again. */
:root {
  --ground: #101317;
  --raised: #1c2128;
  --line: #3b434e;
  --text: #f4f2ee;
  --soft: #b9bec6;
  --accent: #ffb84d;
  --on-accent: #221500;
  --gap: clamp(.5rem, 2.4vmin, 1.6rem);
  --round: .9rem;
  --calm: cubic-bezier(.2, .8, .2, 1);
  /* 16 px on a display of 480x320 (3.5 inch), 33 px on 1080p: readable at arm's length. */
  font-size: max(16px, calc(2.2vmin + 9px));
}

* { box-sizing: border-box; margin: 0; }
[hidden] { display: none !important; }

html, body { height: 100%; overflow: hidden; background: var(--ground); color: var(--text); }

body {
  font-family: "Noto Sans", "Noto Sans CJK KR", "Noto Sans KR", system-ui, sans-serif;
  line-height: 1.35;
  -webkit-user-select: none;
  user-select: none;
  touch-action: manipulation;
  overscroll-behavior: none;
  -webkit-tap-highlight-color: transparent;
}
:lang(ja) body, body:lang(ja) { font-family: "Noto Sans CJK JP", "Noto Sans JP", "IPAGothic", system-ui, sans-serif; }
body:lang(ko) { font-family: "Noto Sans CJK KR", "Noto Sans KR", "NanumGothic", system-ui, sans-serif; word-break: keep-all; }
html[data-pointer=none] body { cursor: none; }

h1, h2 { font-weight: 650; line-height: 1.15; letter-spacing: -.015em; text-wrap: balance; overflow-wrap: anywhere; }
h1 { font-size: 2em; }
h2 { font-size: 1.4em; }
p { text-wrap: pretty; overflow-wrap: break-word; }
img { -webkit-user-drag: none; }
button { font: inherit; color: inherit; background: none; border: 0; padding: 0; cursor: inherit; touch-action: manipulation; }
:focus { outline: none; }
html[data-input=keyboard] :focus-visible { outline: .2rem solid var(--text); outline-offset: .2rem; }
html[data-input=keyboard] section:focus-visible { outline: none; }

svg { width: 1.3em; height: 1.3em; fill: none; stroke: currentColor; stroke-width: 2; stroke-linecap: round; stroke-linejoin: round; flex: none; }
.symbols { position: absolute; width: 0; height: 0; }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }

/* A large choice: icon, words, and the button or key that does the same. */
.choice {
  display: flex; align-items: center; gap: .7em;
  min-height: max(3.2rem, 52px); width: 100%;
  padding: .35em 1em;
  border-radius: var(--round);
  background: var(--raised);
  box-shadow: inset 0 0 0 1px var(--line);
  font-weight: 600; font-size: 1.1em; text-align: left;
  transition: transform .12s var(--calm), opacity .2s;
}
.choice .name { flex: 1; }
.choice.accept { background: var(--accent); color: var(--on-accent); box-shadow: none; }
.choice.quiet { background: transparent; }
.choice:active, .tool:active, .pill:active, .pad button:active { transform: scale(.97); }
.choice[aria-disabled=true] { background: var(--raised); color: var(--soft); box-shadow: inset 0 0 0 1px var(--line); }

.keys { display: inline-flex; flex-wrap: wrap; align-items: center; gap: .35em; font-weight: 500; }
.keys:empty { display: none; }
.keys kbd {
  font: inherit; font-size: max(16px, .8em); line-height: 1.2; white-space: nowrap;
  padding: .18em .55em; border-radius: .45em;
  box-shadow: inset 0 0 0 1.5px currentColor; opacity: .9;
}

.pill {
  display: inline-flex; align-items: center; gap: .5em;
  min-height: max(2.6rem, 44px); padding: 0 1em; border-radius: 9rem;
  color: var(--soft); box-shadow: inset 0 0 0 1px var(--line); font-size: max(16px, .9em);
  transition: transform .12s var(--calm);
}

/* A timer runs out by its bar's scale alone. */
.bar { height: .4rem; border-radius: 1rem; background: var(--line); overflow: hidden; }
.bar i { display: block; height: 100%; background: var(--accent); border-radius: inherit; transform-origin: 0 50%; }
html[dir=rtl] .bar i { transform-origin: 100% 50%; }

/* On the picture's foot, else on the headline: it covers neither control nor face. */
.toast {
  position: absolute; left: 50%; top: .5rem; z-index: 6; width: max-content; max-width: 86%; pointer-events: none;
  padding: .7em 1.2em; border-radius: 2em;
  background: var(--text); color: var(--ground); font-weight: 600; text-align: center;
  transform: translateX(-50%);
}

dialog.sheet {
  margin: auto; width: min(34rem, 94vw); max-height: 94vh; padding: 1.2rem;
  border: 0; border-radius: 1.4rem; background: #171b21; color: var(--text);
  box-shadow: 0 0 0 1px var(--line), 0 1rem 4rem #000a;
}
dialog.sheet[open] { display: flex; flex-direction: column; gap: .9rem; }
dialog.sheet::backdrop { background: #000b; }
dialog .choice { text-align: center; flex: none; }
.list { display: grid; grid-template-columns: 1fr 1fr; gap: .6rem; overflow: hidden auto; padding: .2rem; }
.list .choice { padding: .3em .8em; }
.list .choice[aria-pressed=true] { box-shadow: inset 0 0 0 .16rem var(--accent); }

.pin { display: grid; gap: .6rem; justify-items: center; min-height: 0; }
.dots-entered { min-height: 1.4em; font-size: 1.4em; letter-spacing: .4em; }
.pad { display: grid; grid-template-columns: repeat(3, 1fr); gap: .5rem; width: min(100%, 20rem); }
.pad button { min-height: max(2.8rem, 44px); border-radius: var(--round); background: var(--raised); box-shadow: inset 0 0 0 1px var(--line); font-size: 1.2em; font-weight: 600; display: grid; place-items: center; }

.report { overflow: auto; display: grid; gap: .8rem; -webkit-user-select: text; user-select: text; }
.report .check { padding: .7rem .9rem; border-radius: var(--round); background: var(--raised); border-left: .35rem solid var(--line); }
.report .check.bad { border-color: var(--accent); }
.report .check b { display: block; }
.report .fix { margin-top: .3rem; color: var(--accent); }
.report dl { display: grid; grid-template-columns: auto 1fr; gap: .2rem 1rem; font-size: max(16px, .8em); }
.report dt { color: var(--soft); }
.report dd { text-align: right; overflow-wrap: anywhere; font-variant-numeric: tabular-nums; }

.frame .toast { top: auto; bottom: .5rem; max-width: 96%; }
header .toast { top: 50%; padding: .2em 1em; max-width: 100%; line-height: 1.2; transform: translate(-50%, -50%); }

@media (max-height: 560px) {
  dialog.sheet { padding: .7rem; max-height: 98vh; }
  dialog.sheet[open] { gap: .5rem; }
  .list { grid-template-columns: repeat(auto-fit, minmax(7.5em, 1fr)); gap: .4rem; }
  /* The pad is beside everything else, or its last row would be under the edge. */
  #operator[open]:has(#pin:not([hidden])) { display: grid; grid-template-columns: 1fr auto; width: min(96vw, 36rem); }
  .pin { display: contents; }
  .pin .pad { grid-area: 1 / 2 / 5; width: min(15rem, 48vw); gap: .35rem; }
  .pad button { min-height: 40px; }
  .pin ~ [data-close] { grid-area: 4 / 1; align-self: end; padding-inline: .5em; }
}
@media (max-height: 300px) { dialog .choice { min-height: 40px; } dialog h2 { font-size: 1.1em; } }

@media (prefers-reduced-motion: reduce) {
  *, *::before, *::after { transition: none !important; animation: none !important; }
}
@media (forced-colors: active) {
  .choice, .pill, .tool, .pad button { border: 2px solid; }
}

"""#),
    PageLiteral(
      name: "discs.js", tag: "\"98c482ee36692ccb\"",
      text: #"""
// The booth's panel on the screen, for guests who do not read: a disc for each button of a known
// colour, where the button lies, with what a press means now, in step with the button's lamp.
import { all, isCalm, make } from "./dom.js";
import { deadline } from "./timers.js";

/** What buttons mean on each screen, as symbols. */
const CAMERA = { shutter: "i-camera", record: "i-record" };
const MEANINGS = {
  attract: CAMERA, saved: CAMERA, failed: CAMERA, cancelled: CAMERA,
  countdown: { cancel: "i-cross" },
  recording: { shutter: "i-stop", record: "i-stop", cancel: "i-cross" },
  review: { accept: "i-check", retake: "i-retake", cancel: "i-cross" },
  library: { accept: "i-check", cancel: "i-cross" },
};

let panel = [];
let timer = null;

/** What a button does on a screen. */
const role = (button, screen) => (button.role !== "one" ? button.role : screen === "review" ? button.inReview : "shutter");

/** The panel with the buttons of `action` lit, as an element; null where none has a known colour. */
export function map(state, action, screen, isLarge) {
  panel = state.panel ?? [];
  const isMine = (button) => role(button, screen) === action;
  if (!panel.some(isMine)) return null;
  let next = Math.max(0, ...panel.map((button) => button.column ?? 0));
  const plate = make("span", { className: isLarge ? "map large" : "map", role: "img", "aria-hidden": "true" });
  for (const button of panel) {
    const disc = make("i", { className: isMine(button) ? "disc on" : "disc", "data-colour": button.colour });
    if (button.lamp) disc.dataset.lamp = button.lamp;
    disc.style.gridArea = `${button.row} / ${button.column ?? ++next}`;
    const sign = isLarge && isMine(button) && MEANINGS[screen]?.[action];
    if (sign) {
      const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
      svg.append(document.createElementNS("http://www.w3.org/2000/svg", "use"));
      svg.firstChild.setAttribute("href", `#${sign}`);
      disc.append(svg);
    }
    plate.append(disc);
  }
  return plate;
}

/** Lights the discs as the lamps are lit, from now on. */
export function light(state) {
  clearTimeout(timer);
  const discs = all(".disc[data-lamp]");
  if (!discs.length) return;
  const now = performance.now();
  let next = Infinity;
  for (const disc of discs) {
    const [isLit, until = Infinity] = lamp(disc.dataset.lamp, state, now);
    disc.classList.toggle("lit", isLit);
    next = Math.min(next, until);
  }
  if (next < Infinity) timer = setTimeout(() => light(state), Math.max(4, next - now));
}

/** Whether a lamp is lit, and until when: the same as `LampPattern` says. */
export function lamp(role, state, now) {
  const isFree = ["idle", "live", "cancelled"].includes(state.state);
  if (role === "ready") return [isFree && !state.trouble];
  if (role === "saved") return [state.state === "finished"];
  if (role === "error") {
    if (state.state !== "failed") return [isFree && Boolean(state.trouble)];
    if (isCalm()) return [true];
    const beats = Math.floor((now - state.received) / 125);
    return [beats % 2 === 0, state.received + (beats + 1) * 125];
  }
  const end = deadline(state);
  if (role !== "countdown" || state.state !== "countdown" || now >= end) return [false];
  if (isCalm()) return [true, end];
  const left = end - now;
  const half = left <= 1000 ? 62.5 : left <= 2000 ? 125 : left <= 3000 ? 250 : 500;
  const beats = Math.ceil(left / half) - 1;
  return [beats % 2 === 0, end - beats * half];
}

"""#),
    PageLiteral(
      name: "dom.js", tag: "\"d63577c742103502\"",
      text: #"""
// Small helpers for the document.

/** The element with that id. */
export const $ = (id) => document.getElementById(id);

/** All elements that match. */
export const all = (selector, root = document) => [...root.querySelectorAll(selector)];

/** Makes an element; keys of `properties` that start with "data-", "aria-" or are "role" become attributes. */
export function make(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (/^(data-|aria-|role$)/.test(name)) element.setAttribute(name, value);
    else element[name] = value;
  }
  element.append(...children);
  return element;
}

/** Writes text only where it differs, so that nothing is laid out or announced twice. */
export function write(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** Seconds as people read a length: 0:05. */
export const clock = (seconds) => `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, "0")}`;

/** Whether the guest's system asks for less movement. */
export const isCalm = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

/** Resolves after that many milliseconds, or at once when `signal` aborts. */
export function sleep(milliseconds, signal) {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve();
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, milliseconds);
    signal?.addEventListener("abort", end);
  });
}

"""#),
    PageLiteral(
      name: "editor.js", tag: "\"41d4bc68a1ff5b99\"",
      text: #"""
// Crop and turn: a box of the photo's own shape is moved and zoomed over it, by touch, mouse or keys.
import { $, all, isCalm } from "./dom.js";
import { t } from "./text.js";
import { original } from "./slides.js";

const SMALLEST = 0.2;

export class Editor {
  #station; #changed;
  #image = $("editor-image");
  #table = $("turntable");
  #box = $("crop");
  #bench = $("bench");
  #key = null;
  #local = null;
  #on = false;
  #size = null;
  #crop = null;
  #turns = 0;
  #angle = 0;
  #scale = 1;
  #pointers = new Map();
  #corner = null;

  constructor(station, changed) {
    this.#station = station;
    this.#changed = changed;
    this.#bench.addEventListener("pointerdown", (event) => this.#down(event));
    // A drag may leave the bench, and end outside it.
    addEventListener("pointermove", (event) => this.#move(event));
    for (const name of ["pointerup", "pointercancel"]) {
      addEventListener(name, (event) => this.#pointers.delete(event.pointerId));
    }
    this.#bench.addEventListener("wheel", (event) => this.#zoom(event.deltaY > 0 ? 1.06 : 1 / 1.06), { passive: true });
    this.#box.addEventListener("keydown", (event) => this.#press(event));
    for (const tool of all("[data-tool]")) tool.addEventListener("click", () => this.#tool(tool.dataset.tool));
    $("editor-done").addEventListener("click", () => this.done());
    $("editor-back").addEventListener("click", () => this.back());
    $("review-edit").addEventListener("click", () => this.openReview());
    new ResizeObserver(() => this.#layout()).observe(this.#bench);
  }

  /** Whether the guest crops the still of this review; that is the page's own matter. */
  isOpenFor(state) {
    return this.#local !== null && this.#local === this.#reviewKey(state);
  }

  /** Opens the crop box over the still under review. */
  openReview() {
    const { state } = this.#station;
    if (state?.state !== "reviewing" || !state.allowsEditing || state.isMovie) return;
    this.#local = this.#reviewKey(state);
    this.#changed();
  }

  #reviewKey(state) {
    return `${state.instance}:${state.session}:${state.candidate}`;
  }

  show(state) {
    const review = this.#station.state;
    $("review-edit").hidden = !(review?.state === "reviewing" && review.allowsEditing && !review.isMovie);
    this.#on = state !== null;
    if (!this.#on) {
      this.#key = null;
      this.#pointers.clear();
      if (review?.state !== "reviewing") this.#local = null;
      if (this.#image.hasAttribute("src")) this.#image.removeAttribute("src");
      return;
    }
    const key = state.state === "editing" ? `${state.instance}:${state.session}:${state.item}` : this.#local;
    if (key === this.#key) return;
    this.#key = key;
    this.#open(state);
  }

  async #open(state) {
    const key = this.#key;
    this.#size = null;
    this.#turns = state.edit?.quarterTurns ?? 0;
    this.#angle = this.#turns * 90;
    this.#table.hidden = true;
    this.#image.src = state.state === "editing" ? original(state.item)
      : `/api/v1/review/${state.session}.jpg?candidate=${state.candidate}`;
    this.#image.alt = t("review.label");
    try {
      await this.#image.decode();
    } catch {
      return;
    }
    if (key !== this.#key) return;
    this.#size = { width: this.#image.naturalWidth, height: this.#image.naturalHeight };
    this.#crop = state.edit?.crop ?? { x: 0, y: 0, ...this.#size };
    this.#table.hidden = false;
    this.#layout();
    if (document.activeElement?.dataset.screen === "editor") this.#box.focus({ preventScroll: true });
  }

  /** What the guest did, in the photo's pixels; no crop where all of it stays. */
  edit() {
    const { x, y, width, height } = this.#crop;
    const whole = width >= this.#size.width - 1 && height >= this.#size.height - 1;
    const crop = whole ? null
      : { x: Math.round(x), y: Math.round(y), width: Math.floor(width), height: Math.floor(height) };
    return { crop, quarterTurns: ((this.#turns % 4) + 4) % 4 };
  }

  async done() {
    if (!this.#size) return;
    const inReview = this.#local !== null;
    try {
      await this.#station.send("edit", this.edit());
      if (!inReview) await this.#station.send("accept");
    } catch {
      return;
    }
    this.#close();
  }

  back() {
    if (this.#local === null) this.#station.send("back").catch(() => {});
    else this.#close();
  }

  #close() {
    this.#local = null;
    this.#changed();
  }

  #layout(moving = false) {
    if (!this.#on || !this.#size) return;
    const lying = this.#turns % 2 !== 0;
    const { clientWidth, clientHeight } = this.#bench;
    const room = 14;
    const across = clientWidth - 2 * room, down = clientHeight - 2 * room;
    const { width, height } = this.#size;
    this.#scale = Math.max(0.01, Math.min(across / (lying ? height : width), down / (lying ? width : height)));
    const style = this.#table.style;
    style.width = `${width * this.#scale}px`;
    style.height = `${height * this.#scale}px`;
    style.transition = moving && !isCalm() ? "transform .25s cubic-bezier(.2,.8,.2,1)" : "none";
    style.transform = `translate(-50%, -50%) rotate(${this.#angle}deg)`;
    this.#place();
  }

  #place() {
    const { x, y, width, height } = this.#crop;
    const scale = this.#scale;
    for (const { style } of [this.#box, $("shade")]) {
      style.width = `${width * scale}px`;
      style.height = `${height * scale}px`;
      style.transform = `translate(${x * scale}px, ${y * scale}px)`;
    }
    const share = Math.round((width / this.#size.width) * 100);
    this.#box.setAttribute("aria-label", `${t("editor.box")}, ${share} %`);
  }

  /** Moves the box, kept inside the photo. */
  #shift(dx, dy) {
    const { width, height } = this.#size;
    this.#crop.x = Math.max(0, Math.min(width - this.#crop.width, this.#crop.x + dx));
    this.#crop.y = Math.max(0, Math.min(height - this.#crop.height, this.#crop.y + dy));
    this.#place();
  }

  /** Makes the box `factor` times as large about its middle. */
  #zoom(factor) {
    if (!this.#size) return;
    const { width, height } = this.#size;
    const share = Math.max(SMALLEST, Math.min(1, (this.#crop.width / width) * factor));
    const middle = { x: this.#crop.x + this.#crop.width / 2, y: this.#crop.y + this.#crop.height / 2 };
    this.#resize(share, middle.x - (width * share) / 2, middle.y - (height * share) / 2);
  }

  #resize(share, x, y) {
    this.#crop = { x, y, width: this.#size.width * share, height: this.#size.height * share };
    this.#shift(0, 0);
  }

  #turn(quarters) {
    this.#turns += quarters;
    this.#angle += quarters * 90;
    this.#layout(true);
  }

  #tool(name) {
    if (!this.#size) return;
    if (name === "left") this.#turn(-1);
    else if (name === "right") this.#turn(1);
    else if (name === "closer") this.#zoom(1 / 1.15);
    else if (name === "wider") this.#zoom(1.15);
    else {
      this.#turns = this.#angle = 0;
      this.#resize(1, 0, 0);
      this.#layout(true);
    }
  }

  /** A movement on the display as one in the photo, which may be turned. */
  #inPhoto(dx, dy) {
    const [x, y] = [[dx, dy], [dy, -dx], [-dx, -dy], [-dy, dx]][((this.#turns % 4) + 4) % 4];
    return { x: x / this.#scale, y: y / this.#scale };
  }

  #down(event) {
    if (!this.#size) return;
    event.preventDefault();
    this.#box.focus({ preventScroll: true });
    this.#pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    if (this.#pointers.size > 1) this.#corner = null;
    else this.#corner = event.target.closest(".crop i")?.className ?? null;
  }

  #move(event) {
    const from = this.#pointers.get(event.pointerId);
    if (!from || !this.#size) return;
    const to = { x: event.clientX, y: event.clientY };
    const step = this.#inPhoto(to.x - from.x, to.y - from.y);
    if (this.#pointers.size > 1) {
      const other = [...this.#pointers].find(([id]) => id !== event.pointerId)[1];
      const was = Math.hypot(from.x - other.x, from.y - other.y), is = Math.hypot(to.x - other.x, to.y - other.y);
      if (was > 10 && is > 10) this.#zoom(is / was);
      this.#shift(step.x / 2, step.y / 2);
    } else if (this.#corner) {
      this.#pull(this.#corner, step);
    } else {
      this.#shift(step.x, step.y);
    }
    this.#pointers.set(event.pointerId, to);
  }

  /** Pulls a corner; the opposite one stays, and so does the shape. */
  #pull(corner, step) {
    const { width, height } = this.#size, crop = this.#crop;
    const east = corner.includes("e") ? 1 : 0, south = corner.includes("s") ? 1 : 0;
    const grow = ((east ? step.x : -step.x) / width + (south ? step.y : -step.y) / height) / 2;
    const fixed = { x: east ? crop.x : crop.x + crop.width, y: south ? crop.y : crop.y + crop.height };
    const room = Math.min((east ? width - fixed.x : fixed.x) / width, (south ? height - fixed.y : fixed.y) / height);
    const share = Math.max(SMALLEST, Math.min(room, crop.width / width + grow));
    this.#resize(share, east ? fixed.x : fixed.x - width * share, south ? fixed.y : fixed.y - height * share);
  }

  #press(event) {
    if (!this.#size) return;
    const far = Math.max(1, this.#size.width * (event.shiftKey ? 0.1 : 0.025));
    const moves = { ArrowLeft: [-far, 0], ArrowRight: [far, 0], ArrowUp: [0, -far], ArrowDown: [0, far] };
    const tools = { "+": "closer", "=": "closer", "-": "wider", "[": "left", "]": "right", l: "left", r: "right", 0: "reset" };
    if (event.key in moves) {
      const [dx, dy] = moves[event.key];
      const { x, y } = this.#inPhoto(dx * this.#scale, dy * this.#scale);
      this.#shift(x, y);
    } else if (event.key.toLowerCase() in tools) this.#tool(tools[event.key.toLowerCase()]);
    else if (event.key === "Enter") this.done();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
}

"""#),
    PageLiteral(
      name: "frames.js", tag: "\"88278cbc6fcf39ac\"",
      text: #"""
// A movie of JPEG pictures, which no browser plays by itself: its tables say where each picture lies
// and when it is shown; each is fetched when it is due, drawn, and let go.

const HEAD = 1 << 16;

/** The bytes from `start` to before `end` of a file. */
async function part(source, start, end) {
  const answer = await fetch(source, {
    headers: { Range: `bytes=${start}-${end - 1}` }, cache: "no-store", signal: AbortSignal.timeout(8000) });
  if (answer.status !== 206) {
    await answer.body?.cancel();
    throw new Error(`movie: ${answer.status}`);
  }
  return answer.arrayBuffer();
}

/** A box of an MP4 file. Source: ISO/IEC 14496-12, 4.2. */
class Box {
  constructor(view, start = 0, end = view.byteLength, type = "") {
    Object.assign(this, { view, start, end, type });
  }

  /** The boxes in it, behind `own` bytes that are its own. */
  * inner(own = 0) {
    for (let at = this.start + own; at + 8 <= this.end;) {
      const size = this.view.getUint32(at);
      if (size < 8) return;
      const type = String.fromCharCode(...[4, 5, 6, 7].map((index) => this.view.getUint8(at + index)));
      yield new Box(this.view, at + 8, Math.min(at + size, this.end), type);
      at += size;
    }
  }

  /** The first box at that path. */
  find(...types) {
    return types.reduce((box, type) => box && [...box.inner()].find((one) => one.type === type), this);
  }

  number(index) { return this.view.getUint32(this.start + 4 * index); }
  signed(index) { return this.view.getInt32(this.start + 4 * index); }

  /** A table's rows of `width` numbers, behind `head` numbers of which the last counts them. */
  rows(head, width) {
    const count = Math.min(this.number(head - 1), Math.floor((this.end - this.start) / 4 - head) / width);
    return Array.from({ length: Math.floor(count) }, (_, row) =>
      Array.from({ length: width }, (_, column) => this.number(head + row * width + column)));
  }
}

/** Where the pictures lie, when they are over, and how they are turned and cut; null for other movies. */
function tables(movie) {
  const track = movie.find("trak"), media = track?.find("mdia"), table = media?.find("minf", "stbl");
  const description = table && [...table.find("stsd").inner(8)][0];
  if (description?.type !== "mp4v") return null;
  const scale = media.find("mdhd").number(3), head = track.find("tkhd");
  const turn = [10, 11, 13, 14].map((index) => head.signed(index) / 65536);
  const [width, height] = [19, 20].map((index) => head.number(index) >>> 16);
  const cut = { x: 0, y: 0, width, height };
  for (const box of description.inner(78)) {
    if (box.type !== "clap") continue;
    cut.width = box.number(0);
    cut.height = box.number(2);
    cut.x = (width - cut.width) / 2 + box.signed(4) / box.number(5);
    cut.y = (height - cut.height) / 2 + box.signed(6) / box.number(7);
  }
  const sizes = table.find("stsz").rows(3, 1).flat();
  const times = table.find("stts").rows(2, 2).flatMap(([count, ticks]) => Array(count).fill(ticks / scale));
  const offsets = table.find("stco").rows(2, 1).flat();
  const runs = table.find("stsc").rows(2, 3);
  const pictures = [];
  let time = 0;
  for (const [index, offset] of offsets.entries()) {
    let at = offset;
    for (let left = runs.findLast(([first]) => first <= index + 1)?.[1] ?? 0; left > 0; left--) {
      const size = sizes[pictures.length];
      if (!size) break;
      time += times[pictures.length] ?? 0;
      pictures.push({ start: at, end: at + size, over: time });
      at += size;
    }
  }
  return pictures.length ? { pictures, turn, cut, length: time } : null;
}

export class PictureMovie {
  #source; #tables; #canvas;
  #stopped = false;

  constructor(source, tables, canvas) {
    this.#source = source;
    this.#tables = tables;
    this.#canvas = canvas;
  }

  /** The movie at an address, with its first picture drawn; null if it is none of JPEG pictures. */
  static async open(source, canvas) {
    try {
      const start = new Box(new DataView(await part(source, 0, HEAD)));
      let movie = start.find("moov");
      if (!movie) return null;
      // `inner` ends at what was fetched; a long movie's tables are longer.
      const end = movie.start - 8 + movie.view.getUint32(movie.start - 8);
      if (end > start.end) {
        movie = new Box(new DataView(await part(source, 0, end))).find("moov");
      }
      const found = tables(movie);
      if (!found) return null;
      const made = new PictureMovie(source, found, canvas);
      await made.#show(0);
      return made;
    } catch {
      return null;
    }
  }

  /** Plays it over and over until it is stopped, or its file is gone. */
  async play() {
    const { pictures, length } = this.#tables;
    const began = performance.now();
    let last = 0;
    while (!this.#stopped) {
      const time = (performance.now() - began) / 1000 % Math.max(length, 0.04);
      const due = Math.max(0, pictures.findIndex((picture) => picture.over > time));
      try {
        if (due !== last) await this.#show(due);
      } catch {
        return;
      }
      last = due;
      const wait = pictures[due].over - (performance.now() - began) / 1000 % Math.max(length, 0.04);
      await new Promise((resolve) => setTimeout(resolve, Math.min(Math.max(wait * 1000, 4), 500)));
    }
  }

  stop() { this.#stopped = true; }

  async #show(index) {
    const { pictures, turn: [a, b, c, d], cut } = this.#tables;
    const bytes = await part(this.#source, pictures[index].start, pictures[index].end);
    const bitmap = await createImageBitmap(new Blob([bytes], { type: "image/jpeg" }));
    try {
      if (this.#stopped) return;
      const canvas = this.#canvas, [width, height] = a === 0 ? [cut.height, cut.width] : [cut.width, cut.height];
      if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
      const context = canvas.getContext("2d", { alpha: false });
      context.setTransform(a, b, c, d, width / 2, height / 2);
      context.drawImage(
        bitmap, cut.x, cut.y, cut.width, cut.height, -cut.width / 2, -cut.height / 2, cut.width, cut.height);
      canvas.dataset.picture = String(index);
    } finally {
      bitmap.close();
    }
  }
}

"""#),
    PageLiteral(
      name: "guard.js", tag: "\"6ea9a7b1c3486053\"",
      text: #"""
// A page that came only in part, since the station was stopped while it loaded, would stay dark:
// it is loaded again once the station answers. Everything else is main.js's.
const guard = setInterval(async () => {
  if (document.documentElement.dataset.ready) return clearInterval(guard);
  const answer = await fetch("/healthz", { signal: AbortSignal.timeout(2000) }).catch(() => null);
  if (answer && !document.documentElement.dataset.ready) location.reload();
}, 8000);

"""#),
    PageLiteral(
      name: "icon.svg", tag: "\"8adbdcb0b0a2772a\"",
      text: ##"""
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#101317"/><circle cx="16" cy="16" r="10" fill="none" stroke="#ffb84d" stroke-width="3"/><circle cx="16" cy="16" r="4.5" fill="#ffb84d"/></svg>

"""##),
    PageLiteral(
      name: "index.html", tag: "\"6b5ee8a9fab47688\"",
      text: ##"""
<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <meta name="color-scheme" content="dark">
  <meta name="theme-color" content="#101317">
  <title>Retake</title>
  <link rel="icon" href="/page/icon.svg" type="image/svg+xml">
  <link rel="stylesheet" href="/page/base.css">
  <link rel="stylesheet" href="/page/screens.css">
  <link rel="stylesheet" href="/page/library.css">
  <link rel="stylesheet" href="/page/light.css">
  <link rel="stylesheet" href="/page/strip.css">
  <script src="/page/guard.js"></script>
  <script type="module" src="/page/main.js"></script>
</head>
<!-- Each screen is a section with its name in data-screen; main.js shows one at a time.
     Words are filled in from languages/*.json by data-text (content) and data-label (aria-label). -->
<body data-screen="waiting" data-presentation="fullScreen">
  <svg class="symbols" aria-hidden="true">
    <symbol id="i-camera" viewBox="0 0 24 24"><path d="M4 8h3l2-3h6l2 3h3a1 1 0 0 1 1 1v9a1 1 0 0 1-1 1H4a1 1 0 0 1-1-1V9a1 1 0 0 1 1-1z"/><circle cx="12" cy="13" r="3.6"/></symbol>
    <symbol id="i-check" viewBox="0 0 24 24"><path d="M5 12.5l4.6 4.6L19.5 7"/></symbol>
    <symbol id="i-retake" viewBox="0 0 24 24"><path d="M4.5 12a7.5 7.5 0 1 0 2.4-5.5L4 9"/><path d="M4 4.5V9h4.5"/></symbol>
    <symbol id="i-cross" viewBox="0 0 24 24"><path d="M6 6l12 12M18 6L6 18"/></symbol>
    <symbol id="i-crop" viewBox="0 0 24 24"><path d="M7 2v15h15M2 7h15v15"/></symbol>
    <symbol id="i-left" viewBox="0 0 24 24"><path d="M4 5v5h5"/><path d="M4.6 10A8 8 0 1 1 5 15.5"/></symbol>
    <symbol id="i-right" viewBox="0 0 24 24"><path d="M20 5v5h-5"/><path d="M19.4 10A8 8 0 1 0 19 15.5"/></symbol>
    <symbol id="i-reset" viewBox="0 0 24 24"><rect x="4" y="4" width="16" height="16" rx="1"/></symbol>
    <symbol id="i-plus" viewBox="0 0 24 24"><path d="M12 5v14M5 12h14"/></symbol>
    <symbol id="i-minus" viewBox="0 0 24 24"><path d="M5 12h14"/></symbol>
    <symbol id="i-globe" viewBox="0 0 24 24"><circle cx="12" cy="12" r="9"/><path d="M3 12h18M12 3c5.5 5.6 5.5 12.4 0 18M12 3c-5.5 5.6-5.5 12.4 0 18"/></symbol>
    <symbol id="i-photos" viewBox="0 0 24 24"><rect x="3" y="7" width="13" height="13" rx="2"/><path d="M8 3h11a2 2 0 0 1 2 2v11"/></symbol>
    <symbol id="i-look" viewBox="0 0 24 24"><circle cx="10.5" cy="10.5" r="6.5"/><path d="M15.5 15.5L21 21M10.5 8v5M8 10.5h5"/></symbol>
    <symbol id="i-before" viewBox="0 0 24 24"><path d="M15 5l-7 7 7 7"/></symbol>
    <symbol id="i-after" viewBox="0 0 24 24"><path d="M9 5l7 7-7 7"/></symbol>
    <symbol id="i-stop" viewBox="0 0 24 24"><rect x="6" y="6" width="12" height="12" rx="2" fill="currentColor"/></symbol>
    <symbol id="i-record" viewBox="0 0 24 24"><circle cx="12" cy="12" r="6" fill="currentColor"/></symbol>
    <symbol id="i-arrow" viewBox="0 0 24 24"><path d="M12 21V4M4.5 11.5L12 4l7.5 7.5"/></symbol>
    <symbol id="i-gear" viewBox="0 0 24 24"><circle cx="12" cy="12" r="3"/><path d="M12 2.5v3M12 18.5v3M2.5 12h3M18.5 12h3M5.300 5.300l2.100 2.100M16.6 16.6l2.100 2.100M18.700 5.300l-2.100 2.100M7.400 16.6l-2.100 2.100"/></symbol>
    <symbol id="i-no-camera" viewBox="0 0 24 24"><path d="M4 8h3l2-3h6l2 3h3a1 1 0 0 1 1 1v9a1 1 0 0 1-1 1H4a1 1 0 0 1-1-1V9a1 1 0 0 1 1-1z"/><path d="M3 3l18 18"/></symbol>
    <symbol id="i-full" viewBox="0 0 24 24"><path d="M4 13l3-8h10l3 8v6H4z"/><path d="M4 13h16M8 16h3"/></symbol>
    <symbol id="i-wait" viewBox="0 0 24 24"><path d="M7 3h10M7 21h10M8 3c0 5 8 6 8 9s-8 4-8 9M16 3c0 5-8 6-8 9s8 4 8 9"/></symbol>
  </svg>

  <main>
  <div id="gallery" class="gallery" aria-hidden="true" hidden></div>
  <div id="app" class="app">
    <div class="fill" id="fill" aria-hidden="true"></div>
    <div class="picture" id="picture">
      <div class="frame" id="frame">
        <canvas id="preview" role="img" data-label="preview.label"></canvas>
        <div class="still" id="still" hidden><img id="still-image" alt=""><video id="still-movie" loop muted playsinline disablepictureinpicture hidden></video><canvas id="still-pictures" role="img" hidden></canvas><p id="still-dumb" data-text="movie.dumb" hidden></p></div>
        <p class="tape" id="tape" aria-hidden="true" hidden><i class="dot"></i><span id="tape-time"></span></p>
        <p class="age" id="age" hidden></p>
        <div class="strip" id="strip" role="radiogroup" hidden></div>
        <div class="busy" id="busy" hidden><span class="dots" aria-hidden="true"><i></i><i></i><i></i></span></div>
        <div class="seal" id="seal" hidden><svg aria-hidden="true"><use href="#i-check"/></svg></div>
      </div>
    </div>

    <section class="panel attract" data-screen="attract" tabindex="-1" aria-labelledby="attract-title">
      <div class="words">
        <h1 id="attract-title"></h1>
        <p id="attract-hint"></p>
      </div>
      <div class="actions">
        <div class="modes">
          <button type="button" class="shutter" id="take" data-command="shutter" data-primary>
            <span class="ring"><svg aria-hidden="true"><use href="#i-camera"/></svg></span>
            <span data-text="take"></span>
          </button>
          <button type="button" class="shutter record" id="record" data-command="record" data-primary hidden>
            <span class="ring"><i class="dot" aria-hidden="true"></i></span>
            <span data-text="movie.take"></span>
          </button>
        </div>
        <p class="hint keys" data-keys="shutter" data-words="press"></p>
      </div>
      <div class="slides" id="slides" aria-hidden="true" hidden><img alt=""><img alt=""></div>
      <div class="foot">
        <button type="button" class="pill idle" id="photos" hidden><svg aria-hidden="true"><use href="#i-photos"/></svg><span data-text="photos"></span></button>
        <button type="button" class="pill idle" id="language"><svg aria-hidden="true"><use href="#i-globe"/></svg><span id="language-name"></span></button>
        <button type="button" class="choice quiet corner" data-command="cancel" id="live-cancel" hidden><svg aria-hidden="true"><use href="#i-cross"/></svg><span class="name" data-text="cancel"></span><span class="keys" data-keys="cancel"></span></button>
      </div>
    </section>

    <section class="panel countdown" data-screen="countdown" tabindex="-1" aria-labelledby="countdown-title">
      <h1 id="countdown-title" class="unseen" data-text="countdown.ready"></h1>
      <button type="button" class="choice quiet corner" data-command="cancel"><svg aria-hidden="true"><use href="#i-cross"/></svg><span class="name" data-text="cancel"></span><span class="keys" data-keys="cancel"></span></button>
    </section>

    <section class="panel recording" data-screen="recording" tabindex="-1" aria-labelledby="recording-title">
      <h1 id="recording-title" data-text="movie.recording"></h1>
      <div class="modes">
        <button type="button" class="shutter stop" data-command="stop" data-primary>
          <span class="ring" id="ring"><i class="half"><i></i></i><i class="half"><i></i></i><svg aria-hidden="true"><use href="#i-stop"/></svg></span>
          <span data-text="movie.stop"></span>
        </button>
      </div>
      <output class="elapsed" id="elapsed" role="timer" data-label="movie.elapsed"></output>
      <p class="hint keys" data-keys="shutter" data-words="press"></p>
      <button type="button" class="choice quiet corner" data-command="cancel"><svg aria-hidden="true"><use href="#i-cross"/></svg><span class="name" data-text="cancel"></span><span class="keys" data-keys="cancel"></span></button>
    </section>

    <section class="panel capturing" data-screen="capturing" tabindex="-1" aria-labelledby="capturing-title">
      <h1 id="capturing-title"></h1>
    </section>

    <section class="panel review" data-screen="review" tabindex="-1" aria-labelledby="review-title">
      <h1 id="review-title" data-text="review.title"></h1>
      <div class="choices">
        <button type="button" class="choice accept" data-command="accept" data-primary id="accept"><svg aria-hidden="true"><use href="#i-check"/></svg><span class="name" id="review-use"></span><span class="keys" data-keys="accept"></span></button>
        <button type="button" class="choice quiet" id="review-edit" hidden><svg aria-hidden="true"><use href="#i-crop"/></svg><span class="name" data-text="edit"></span></button>
      </div>
      <div class="timer" data-timer hidden>
        <div class="bar"><i></i></div>
        <output class="left" id="review-end" role="timer" data-label="timer.label"></output>
        <p class="more" data-text="review.more"></p>
      </div>
      <div class="foot pair">
        <button type="button" class="choice" data-command="retake"><svg aria-hidden="true"><use href="#i-retake"/></svg><span class="name" data-text="retake"></span><span class="keys" data-keys="retake"></span></button>
        <button type="button" class="choice" data-command="cancel"><svg aria-hidden="true"><use href="#i-cross"/></svg><span class="name" data-text="review.discard"></span><span class="keys" data-keys="cancel"></span></button>
      </div>
    </section>

    <section class="panel saving" data-screen="saving" tabindex="-1" aria-labelledby="saving-title">
      <button type="button" class="choice quiet corner" data-command="cancel" id="saving-cancel" hidden><svg aria-hidden="true"><use href="#i-cross"/></svg><span class="name" data-text="cancel"></span><span class="keys" data-keys="cancel"></span></button>
      <h1 id="saving-title"></h1>
      <p id="saving-slow" hidden></p>
    </section>

    <section class="panel saved" data-screen="saved" tabindex="-1" aria-labelledby="saved-title">
      <h1 id="saved-title"></h1>
      <p id="saved-text"></p>
      <p class="hint keys" data-keys="shutter" data-words="next" id="saved-next"></p>
      <button type="button" class="choice accept again" data-command="shutter" data-primary><svg aria-hidden="true"><use href="#i-camera"/></svg><span class="name" data-text="again"></span></button>
      <button type="button" class="choice quiet corner" data-command="cancel"><span class="name" data-text="close"></span></button>
    </section>

    <section class="panel ended" data-screen="cancelled" tabindex="-1" aria-labelledby="cancelled-title">
      <h1 id="cancelled-title" data-text="cancelled.title"></h1>
      <p data-text="cancelled.text"></p>
    </section>

    <section class="page notice" data-screen="failed" tabindex="-1" aria-labelledby="failed-title">
      <svg class="sign" aria-hidden="true"><use href="#i-camera"/></svg>
      <h1 id="failed-title"></h1>
      <p id="failed-text" data-text="failed.text"></p>
      <button type="button" class="choice accept again" data-command="shutter" data-primary><svg aria-hidden="true"><use href="#i-camera"/></svg><span class="name" data-text="again"></span></button>
      <button type="button" class="choice quiet" data-command="cancel"><span class="name" data-text="close"></span></button>
    </section>

    <section class="page notice trouble" data-screen="trouble" tabindex="-1" aria-labelledby="trouble-title">
      <svg class="sign" aria-hidden="true"><use id="trouble-sign" href="#i-wait"/></svg>
      <h1 id="trouble-title"></h1>
      <p id="trouble-trying"></p>
      <div class="retry" id="retry"><div class="bar"><i></i></div><p id="retry-text"></p></div>
      <button type="button" class="pill staff" data-hold="operator"><svg aria-hidden="true"><use href="#i-gear"/></svg><span data-text="staff"></span><i class="fill" aria-hidden="true"></i></button>
    </section>

    <section class="page library" data-screen="library" tabindex="-1" aria-labelledby="library-title">
      <header>
        <h1 id="library-title"></h1>
        <p id="library-count" role="status"></p>
      </header>
      <div class="scroll" id="library-scroll" tabindex="-1">
        <div class="grid" id="library-grid" role="group" aria-labelledby="library-title"></div>
        <p class="empty" id="library-empty" data-text="library.empty" hidden></p>
        <p class="empty" id="library-unshown" hidden></p>
      </div>
      <footer>
        <button type="button" class="choice" data-command="cancel"><svg aria-hidden="true"><use href="#i-cross"/></svg><span class="name" id="library-cancel"></span><span class="keys" data-keys="cancel"></span></button>
        <button type="button" class="choice" id="library-edit" hidden><svg aria-hidden="true"><use href="#i-crop"/></svg><span class="name" data-text="edit"></span></button>
        <button type="button" class="choice accept" data-command="accept" id="library-use"><svg aria-hidden="true"><use href="#i-check"/></svg><span class="name" id="library-use-name"></span><span class="keys" data-keys="accept"></span></button>
      </footer>
    </section>

    <section class="page editor" data-screen="editor" tabindex="-1" aria-labelledby="editor-title">
      <div class="bench" id="bench">
        <div class="turntable" id="turntable">
          <img id="editor-image" alt="">
          <div class="shade"><i id="shade"></i></div>
          <div class="crop" id="crop" role="application" tabindex="0" data-label="editor.box" aria-describedby="editor-help" data-primary>
            <i class="nw"></i><i class="ne"></i><i class="sw"></i><i class="se"></i>
          </div>
        </div>
      </div>
      <div class="tools">
        <h1 id="editor-title" data-text="editor.title"></h1>
        <p id="editor-help" data-text="editor.help"></p>
        <div class="row">
          <button type="button" class="tool" data-tool="left" data-label="editor.left"><svg aria-hidden="true"><use href="#i-left"/></svg></button>
          <button type="button" class="tool" data-tool="right" data-label="editor.right"><svg aria-hidden="true"><use href="#i-right"/></svg></button>
          <button type="button" class="tool" data-tool="closer" data-label="editor.closer"><svg aria-hidden="true"><use href="#i-plus"/></svg></button>
          <button type="button" class="tool" data-tool="wider" data-label="editor.wider"><svg aria-hidden="true"><use href="#i-minus"/></svg></button>
          <button type="button" class="tool" data-tool="reset" data-label="editor.reset"><svg aria-hidden="true"><use href="#i-reset"/></svg></button>
        </div>
        <button type="button" class="choice accept" id="editor-done"><svg aria-hidden="true"><use href="#i-check"/></svg><span class="name" data-text="done"></span></button>
        <button type="button" class="choice quiet corner" id="editor-back"><svg aria-hidden="true"><use href="#i-cross"/></svg><span class="name" data-text="back"></span></button>
      </div>
    </section>

    <div class="lens" id="lens" aria-hidden="true" hidden><svg><use href="#i-arrow"/></svg><b id="count-number"></b><span id="look"></span></div>
    <p class="toast" id="toast" hidden></p>
  </div>

  <div class="flash" id="flash" aria-hidden="true"></div>
  <p id="announcer" class="unseen" role="status" aria-live="polite"></p>
  <p id="alarm" class="unseen" role="alert" aria-live="assertive"></p>

  <dialog id="languages" class="sheet" aria-labelledby="languages-title">
    <h2 id="languages-title" data-text="languages"></h2>
    <div class="list" id="language-list"></div>
    <button type="button" class="choice" data-close><span class="name" data-text="close"></span></button>
  </dialog>

  <dialog id="viewer" class="viewer" aria-labelledby="viewer-title">
    <div class="stage" id="stage"><img id="viewer-image" alt=""><video id="viewer-movie" loop muted playsinline disablepictureinpicture hidden></video><canvas id="viewer-pictures" role="img" hidden></canvas></div>
    <div class="viewing">
      <button type="button" class="choice" data-close><svg aria-hidden="true"><use href="#i-cross"/></svg><span class="name" data-text="close"></span></button>
      <div class="turns">
      <button type="button" class="tool turn" id="viewer-before" data-label="view.before"><svg aria-hidden="true"><use href="#i-before"/></svg></button>
      <h2 id="viewer-title"></h2>
      <button type="button" class="tool turn" id="viewer-after" data-label="view.after"><svg aria-hidden="true"><use href="#i-after"/></svg></button>
      </div>
      <button type="button" class="choice accept" id="viewer-choose"><svg aria-hidden="true"><use href="#i-check"/></svg><span class="name" id="viewer-choose-name"></span></button>
    </div>
  </dialog>

  <dialog id="operator" class="sheet" aria-labelledby="operator-title">
    <h2 id="operator-title" data-text="operator.title"></h2>
    <div id="pin" class="pin" role="group" aria-labelledby="pin-text" tabindex="-1" hidden>
      <p id="pin-text" role="status"></p>
      <output id="pin-dots" class="dots-entered" data-label="staff.pin"></output>
      <div class="pad" id="pin-pad"></div>
    </div>
    <div id="operator-view" class="report" tabindex="0" role="region" aria-labelledby="operator-title" hidden></div>
    <button type="button" class="choice" data-close><span class="name" data-text="close"></span></button>
  </dialog>
  </main>
  <noscript>This page needs JavaScript.</noscript>
</body>
</html>

"""##),
    PageLiteral(
      name: "input.js", tag: "\"6b6a9d6a4d46e424\"",
      text: ##"""
// Touches, clicks and keys.
import { $, all, make, write } from "./dom.js";
import { rest } from "./arming.js";
import { Refusal } from "./station.js";
import { language, languages, t } from "./text.js";

const HOLD = 1200;
const EXTEND = { reviewing: 1000, live: 5000, browsing: 5000, editing: 5000 };

export class Input {
  #station; #screens; #editor; #library; #operator;
  #extended = 0;
  #holding = null;

  constructor(station, { screens, editor, library, operator }) {
    this.#station = station;
    this.#screens = screens;
    this.#editor = editor;
    this.#library = library;
    this.#operator = operator;
    this.#pointer();
    this.#commands();
    for (const element of all("[data-hold]")) this.#hold(element);
    // The attract screen has no button for it: whoever holds the headline gets there.
    this.#hold($("attract-title"), 3000);
    addEventListener("keydown", (event) => this.#key(event));
  }

  /** Sends a command as the screen allows it. */
  async command(name) {
    if (name === "cancel" && this.#library.leave()) return;
    const { state } = this.#station;
    if (!state || !this.#station.connected) return;
    if (name === "accept" && this.#screens.name === "review" && performance.now() < this.#screens.armedAt) return;
    if (name === "accept" && this.#screens.name === "library" && !state.selection?.length) {
      return this.#screens.toast(t("reason.nothingSelected"));
    }
    rest();
    // A press on an end screen begins the next guest's session: it does not mean the one that ended.
    const ended = ["idle", "finished", "cancelled", "failed"].includes(state.state);
    try {
      await this.#station.send(name, {}, { session: !(["shutter", "record"].includes(name) && ended) });
    } catch (error) {
      if (!(error instanceof Refusal)) return;
      if (error.status === 401 || error.status === 403) this.#screens.toast(error.message);
    }
  }

  #pointer() {
    const root = document.documentElement;
    let idle = null;
    addEventListener("pointermove", (event) => {
      if (event.pointerType !== "mouse") return;
      root.dataset.pointer = "mouse";
      clearTimeout(idle);
      idle = setTimeout(() => (root.dataset.pointer = "none"), 4000);
    }, { passive: true });
    addEventListener("pointerdown", (event) => {
      this.#uses("pointer");
      if (event.pointerType !== "mouse") root.dataset.pointer = "none";
      this.#extend();
    }, { passive: true, capture: true });
    for (const name of ["contextmenu", "dragstart"]) addEventListener(name, (event) => event.preventDefault());
  }

  /** What the guest uses decides whether focus and keys are shown. */
  #uses(input) {
    const { dataset } = document.documentElement;
    if (dataset.input === input) return;
    dataset.input = input;
    this.#screens.update();
  }

  /** Whoever touches the screen is still there. */
  #extend() {
    const pause = EXTEND[this.#station.state?.state];
    if (!pause || !this.#station.connected || performance.now() - this.#extended < pause) return;
    this.#extended = performance.now();
    this.#station.send("extend").catch(() => {});
  }

  #commands() {
    addEventListener("click", (event) => {
      const button = event.target.closest?.("[data-command]");
      if (button && !button.disabled) this.command(button.dataset.command);
      else if (!button && event.target.closest?.("#picture, .notice[data-screen=failed]")) this.#touch();
      const close = event.target.closest?.("[data-close]");
      if (close) close.closest("dialog").close();
    });
    $("language").addEventListener("click", () => this.#languages());
  }

  /** The picture itself is the largest button there is: it starts, and goes on. */
  #touch() {
    const section = document.querySelector("#app > .shown");
    const button = all("[data-command=shutter], [data-command=record]", section).find((one) => !one.hidden && !one.disabled);
    if (button) this.command(button.dataset.command);
    return button;
  }

  #languages() {
    $("language-list").replaceChildren(...Object.entries(languages).map(([code, name]) => {
      const button = make("button", {
        type: "button", className: "choice", lang: code, "aria-pressed": String(code === language()),
      }, make("span", { className: "name", textContent: name }));
      button.addEventListener("click", () => {
        dispatchEvent(new CustomEvent("language", { detail: code }));
        $("languages").close();
      });
      return button;
    }));
    $("languages").showModal();
  }

  #hold(element, time = HOLD) {
    const begin = () => {
      element.classList.add("holding");
      this.#holding ??= setTimeout(() => {
        end();
        this.#operator.open();
      }, time);
    };
    const end = () => {
      element.classList.remove("holding");
      clearTimeout(this.#holding);
      this.#holding = null;
    };
    element.addEventListener("pointerdown", begin);
    for (const name of ["pointerup", "pointercancel", "pointerleave", "blur"]) element.addEventListener(name, end);
    element.addEventListener("keydown", (event) => {
      if (!["Enter", " "].includes(event.key)) return;
      event.preventDefault();
      event.stopPropagation();
      if (!event.repeat) begin();
    });
    element.addEventListener("keyup", end);
    // A screen reader clicks without a press; it cannot hold.
    element.addEventListener("click", (event) => {
      if (element.matches("button") && event.detail === 0) this.#operator.open();
      else if (element.matches("button")) write($("announcer"), t("staff.hold"));
    });
  }

  #key(event) {
    if (event.ctrlKey || event.altKey || event.metaKey || document.querySelector("dialog[open]")) return;
    this.#uses("keyboard");
    // A key that is held from one screen into the next must not press a button there.
    if (event.repeat) return [" ", "Enter"].includes(event.key) && event.preventDefault();
    const screen = this.#screens.name, key = event.key;
    const onButton = event.target.closest?.("button, a, .tile") !== null && event.target !== document.body;
    if (onButton && (key === "Enter" || key === " ")) return this.#extend();
    const act = this.#meaning(screen, key);
    if (act) {
      event.preventDefault();
      act();
    } else if (!this.#arrow(event)) {
      this.#extend();
    }
  }

  #meaning(screen, key) {
    const command = (name) => () => this.command(name);
    const pressed = key === " " || key === "Enter";
    switch (screen) {
      case "attract":
      case "saved":
      case "cancelled":
        if (pressed) return command("shutter");
        if (key.toLowerCase() === "m") return screen === "attract" && !$("record").hidden && command("record");
        return key === "Escape" && command("cancel");
      case "failed":
        if (pressed) return () => this.#touch() || this.command("cancel");
        return key === "Escape" && command("cancel");
      case "recording":
        if (pressed || key.toLowerCase() === "m") return command("stop");
        return key === "Escape" && command("cancel");
      case "countdown":
      case "capturing":
      case "saving":
        return key === "Escape" && command("cancel");
      case "review":
        if (key === "Enter") return command("accept");
        if (key === "Escape") return command("cancel");
        if (key === "Backspace" || key.toLowerCase() === "r") return command("retake");
        return key.toLowerCase() === "e" && (() => this.#editor.openReview());
      case "library":
        if (key.toLowerCase() === "e") return () => this.#library.edit();
        return key === "Escape" && command("cancel");
      case "editor":
        return key === "Escape" && (() => this.#editor.back());
      default:
        return false;
    }
  }

  /** Arrows go from choice to choice, and sideways from frame to frame where a review offers some. */
  #arrow(event) {
    if (this.#screens.name === "review" && this.#screens.strip.key(event.key)) {
      event.preventDefault();
      return true;
    }
    const step = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key];
    const section = document.querySelector("#app > .shown");
    if (!step || !section || event.target.closest?.(".tile, .crop")) return false;
    const buttons = all("button", section).filter((button) => !button.disabled && button.offsetParent);
    if (!buttons.length) return false;
    const at = buttons.indexOf(document.activeElement);
    buttons[(at + step + buttons.length) % buttons.length].focus();
    event.preventDefault();
    this.#extend();
    return true;
  }
}

"""##),
    PageLiteral(
      name: "languages/de.json", tag: "\"bbd5a2ecf6d32cb3\"",
      text: #"""
{
 "attract.title": "Bereit für dein Foto?",
 "attract.hint": "Komm näher, schau in die Kamera und lächle.",
 "take": "Foto machen",
 "press": "oder {keys} drücken",
 "pressOnly": "{keys} drücken",
 "next": "Für das nächste Foto {keys} drücken",
 "live.title": "Sieht gut aus!",
 "live.hint": "Mach dein Foto, sobald du bereit bist.",
 "countdown.ready": "Gleich geht’s los!",
 "countdown.smile": "Lächeln!",
 "countdown.look": "Schau her!",
 "capturing": "Im Kasten!",
 "review.title": "Wie gefällt es dir?",
 "review.use": "Foto behalten",
 "review.accept": "{n} s · Wird dann gespeichert",
 "review.cancel": "{n} s · Wird dann gelöscht",
 "review.more": "Tippen für mehr Zeit",
 "review.label": "Dein Foto",
 "frames.label": "Such den besten Moment aus",
 "frames.one": "Bild {n} von {count}",
 "retake": "Noch einmal",
 "cancel": "Abbrechen",
 "review.discard": "Verwerfen",
 "edit": "Zuschneiden und drehen",
 "done": "Fertig",
 "back": "Zurück",
 "close": "Schließen",
 "again": "Noch eins",
 "photos": "Fotos",
 "timer.label": "Verbleibende Zeit",
 "saving.title": "Dein Foto wird gespeichert …",
 "saving.library": "Einen Moment …",
 "saving.slow": "Das dauert länger als sonst. Dein Foto ist nicht verloren, bitte warte.",
 "saved.title": "Dein Foto ist gespeichert!",
 "saved.library": "Fertig!",
 "saved.text": "Danke und viel Spaß beim Feiern!",
 "cancelled.title": "Abgebrochen",
 "cancelled.text": "Nichts gespeichert",
 "failed.text": "Bitte versuch es noch einmal",
 "reason.starting": "Die Fotobox startet gerade",
 "reason.cameraUnavailable": "Die Kamera ist nicht bereit. Bitte sag dem Personal Bescheid.",
 "reason.camera": "Die Kamera ist nicht bereit. Bitte sag dem Personal Bescheid.",
 "reason.storageFull": "Kein Platz mehr für weitere Fotos. Bitte sag dem Personal Bescheid.",
 "reason.storageUnavailable": "Fotos können gerade nicht gespeichert werden. Bitte sag dem Personal Bescheid.",
 "reason.storage": "Fotos können gerade nicht gespeichert werden. Bitte sag dem Personal Bescheid.",
 "reason.libraryUnavailable": "Die Fotos können gerade nicht gezeigt werden. Bitte sag dem Personal Bescheid.",
 "reason.library": "Die Fotos können gerade nicht gezeigt werden. Bitte sag dem Personal Bescheid.",
 "reason.captureFailed": "Das hat leider nicht geklappt",
 "reason.captureTimedOut": "Das hat leider nicht geklappt",
 "reason.frameUnavailable": "Dieser Moment geht leider nicht. Hier ist wieder der erste.",
 "reason.saveFailed": "Dein Foto konnte nicht gespeichert werden. Bitte sag dem Personal Bescheid.",
 "reason.selectionLimitReached": "Mehr Fotos kannst du nicht auswählen",
 "reason.nothingSelected": "Bitte wähle zuerst ein Foto aus",
 "reason.stationFault": "Da ist etwas schiefgegangen",
 "reason.connectionLost": "Die Fotobox macht kurz Pause",
 "trying.camera": "Die Kamera wird gesucht",
 "trying.storage": "Warten auf freien Speicherplatz",
 "trying.library": "Die Fotos werden neu geöffnet",
 "trying.fault": "Die Fotobox startet neu",
 "trying.connection": "Gleich geht es weiter. Gespeicherte Fotos sind sicher.",
 "trying.starting": "Einen Moment bitte",
 "retry.in": "Nächster Versuch in {n} s",
 "retry.now": "Neuer Versuch …",
 "staff": "Personal",
 "staff.hold": "Für die Personalansicht gedrückt halten",
 "operator.title": "Personal",
 "operator.silent": "Keine Antwort von {url}",
 "library.one": "Foto auswählen",
 "library.several": "Fotos auswählen",
 "library.of": "{n} von {limit} ausgewählt",
 "library.chosen": "{n} ausgewählt",
 "library.use": "{n} verwenden",
 "library.photo": "Foto {n}, {time}",
 "library.empty": "Noch keine Fotos",
 "library.omitted": "{n} weitere Fotos können hier nicht gezeigt werden",
 "library.unshown": "Hier nicht darstellbare Dateien: {n} ({formats})",
 "view.open": "Vergrößern: {label}",
 "view.choose": "Auswählen",
 "view.chosen": "Ausgewählt",
 "view.before": "Zurück",
 "view.after": "Weiter",
 "editor.title": "Zuschneiden und drehen",
 "editor.help": "Zieh den Rahmen oder seine Ecken.",
 "editor.box": "Bildausschnitt",
 "editor.left": "Nach links drehen",
 "editor.right": "Nach rechts drehen",
 "editor.closer": "Vergrößern",
 "editor.wider": "Verkleinern",
 "editor.reset": "Ganzes Foto",
 "age": "Live-Bild steht seit {n} s",
 "preview.label": "Live-Bild der Kamera",
 "languages": "Sprache",
 "dialog.label": "Fotobox",
 "key.button": "Taste",
 "key.space": "Leertaste",
 "key.enter": "Enter",
 "key.esc": "Esc",
 "key.backspace": "Rücktaste",
 "key.green": "Grün",
 "key.yellow": "Gelb",
 "key.red": "Rot",
 "movie.take": "Video aufnehmen",
 "movie.recording": "Aufnahme läuft!",
 "movie.stop": "Stopp",
 "movie.elapsed": "Aufgenommene Zeit",
 "movie.use": "Video behalten",
 "movie.label": "Dein Video",
 "movie.saving": "Dein Video wird gespeichert …",
 "movie.slow": "Das dauert länger als sonst. Dein Video ist nicht verloren, bitte warte.",
 "movie.saved": "Dein Video ist gespeichert!",
 "movie.tile": "Video {n}, {length}, {time}",
 "movie.dumb": "Dieser Bildschirm kann das Video nicht abspielen",
 "reason.moviesUnavailable": "Videos können gerade nicht aufgenommen werden",
 "reason.movieCutShort": "Das Video endete zu früh. Das wurde aufgenommen."
}

"""#),
    PageLiteral(
      name: "languages/en.json", tag: "\"4220968c570d3d6c\"",
      text: #"""
{
 "attract.title": "Ready for your photo?",
 "attract.hint": "Come closer, look at the camera and smile.",
 "take": "Take a photo",
 "press": "or press {keys}",
 "pressOnly": "Press {keys}",
 "next": "Press {keys} for the next photo",
 "live.title": "Looking good!",
 "live.hint": "Take your photo when you are ready.",
 "countdown.ready": "Get ready!",
 "countdown.smile": "Smile!",
 "countdown.look": "Look here!",
 "capturing": "Got it!",
 "review.title": "How do you like it?",
 "review.use": "Keep photo",
 "review.accept": "Saved in {n} s",
 "review.cancel": "Deleted in {n} s",
 "review.more": "Tap for more time",
 "review.label": "Your photo",
 "frames.label": "Choose the best moment",
 "frames.one": "Picture {n} of {count}",
 "retake": "Retake",
 "cancel": "Cancel",
 "review.discard": "Delete",
 "edit": "Crop and rotate",
 "done": "Done",
 "back": "Back",
 "close": "Close",
 "again": "Another one",
 "photos": "Photos",
 "timer.label": "Time left",
 "saving.title": "Saving your photo…",
 "saving.library": "One moment…",
 "saving.slow": "This is taking longer than usual. Your photo is not lost, please wait.",
 "saved.title": "Your photo is saved!",
 "saved.library": "All done!",
 "saved.text": "Thanks, enjoy the party!",
 "cancelled.title": "Cancelled",
 "cancelled.text": "Nothing saved",
 "failed.text": "Please try again",
 "reason.starting": "The photo booth is starting",
 "reason.cameraUnavailable": "The camera isn’t ready. Please ask for help.",
 "reason.camera": "The camera isn’t ready. Please ask for help.",
 "reason.storageFull": "There’s no space for more photos. Please ask for help.",
 "reason.storageUnavailable": "Photos can’t be saved right now. Please ask for help.",
 "reason.storage": "Photos can’t be saved right now. Please ask for help.",
 "reason.libraryUnavailable": "Photos can’t be shown right now. Please ask for help.",
 "reason.library": "Photos can’t be shown right now. Please ask for help.",
 "reason.captureFailed": "Sorry, that one didn’t come out",
 "reason.captureTimedOut": "Sorry, that one didn’t come out",
 "reason.frameUnavailable": "That moment can’t be used. Here is the first one again.",
 "reason.saveFailed": "Your photo couldn’t be saved. Please ask for help.",
 "reason.selectionLimitReached": "You can’t choose any more photos",
 "reason.nothingSelected": "Please choose a photo first",
 "reason.stationFault": "Something went wrong",
 "reason.connectionLost": "The photo booth is taking a short break",
 "trying.camera": "Looking for the camera",
 "trying.storage": "Waiting for free space",
 "trying.library": "Opening the photos again",
 "trying.fault": "Starting again",
 "trying.connection": "Back in a moment. Saved photos are safe.",
 "trying.starting": "One moment, please",
 "retry.in": "Trying again in {n} s",
 "retry.now": "Trying now…",
 "staff": "Staff",
 "staff.hold": "Press and hold for the staff view",
 "operator.title": "Staff",
 "operator.silent": "No answer from {url}",
 "library.one": "Choose a photo",
 "library.several": "Choose your photos",
 "library.of": "{n} of {limit} chosen",
 "library.chosen": "{n} chosen",
 "library.use": "Use {n}",
 "library.photo": "Photo {n}, {time}",
 "library.empty": "There are no photos yet",
 "library.omitted": "{n} more photos can’t be shown here",
 "library.unshown": "Files that can’t be shown here: {n} ({formats})",
 "view.open": "Enlarge: {label}",
 "view.choose": "Choose",
 "view.chosen": "Chosen",
 "view.before": "Previous",
 "view.after": "Next",
 "editor.title": "Crop and rotate",
 "editor.help": "Drag the frame or pull its corners.",
 "editor.box": "Crop area",
 "editor.left": "Rotate left",
 "editor.right": "Rotate right",
 "editor.closer": "Zoom in",
 "editor.wider": "Zoom out",
 "editor.reset": "Whole photo",
 "age": "Live picture frozen for {n} s",
 "preview.label": "Live picture from the camera",
 "languages": "Language",
 "dialog.label": "Photo booth",
 "key.button": "Button",
 "key.space": "Space",
 "key.enter": "Enter",
 "key.esc": "Esc",
 "key.backspace": "Backspace",
 "key.green": "Green",
 "key.yellow": "Yellow",
 "key.red": "Red",
 "movie.take": "Record a video",
 "movie.recording": "Recording!",
 "movie.stop": "Stop",
 "movie.elapsed": "Time recorded",
 "movie.use": "Keep video",
 "movie.label": "Your video",
 "movie.saving": "Saving your video…",
 "movie.slow": "This is taking longer than usual. Your video is not lost, please wait.",
 "movie.saved": "Your video is saved!",
 "movie.tile": "Video {n}, {length}, {time}",
 "movie.dumb": "This screen can’t play the video",
 "reason.moviesUnavailable": "Videos can’t be recorded right now",
 "reason.movieCutShort": "The video ended early. Here’s what we got."
}

"""#),
    PageLiteral(
      name: "languages/es.json", tag: "\"73822a8e7f699ed7\"",
      text: #"""
{
 "attract.title": "¿Todo listo para tu foto?",
 "attract.hint": "Acércate, mira a la cámara y sonríe.",
 "take": "Hacer una foto",
 "press": "o pulsa {keys}",
 "pressOnly": "Pulsa {keys}",
 "next": "Pulsa {keys} para la siguiente foto",
 "live.title": "¡Te ves genial!",
 "live.hint": "Haz la foto cuando quieras.",
 "countdown.ready": "¡Prepárate!",
 "countdown.smile": "¡Sonríe!",
 "countdown.look": "¡Mira aquí!",
 "capturing": "¡Ya está!",
 "review.title": "¿Te gusta?",
 "review.use": "Guardar foto",
 "review.accept": "Se guarda en {n} s",
 "review.cancel": "Se borra en {n} s",
 "review.more": "Toca para tener más tiempo",
 "review.label": "Tu foto",
 "frames.label": "Elige el mejor momento",
 "frames.one": "Imagen {n} de {count}",
 "retake": "Repetir",
 "cancel": "Cancelar",
 "review.discard": "Borrar",
 "edit": "Recortar y girar",
 "done": "Listo",
 "back": "Atrás",
 "close": "Cerrar",
 "again": "Otra más",
 "photos": "Fotos",
 "timer.label": "Tiempo restante",
 "saving.title": "Guardando tu foto…",
 "saving.library": "Un momento…",
 "saving.slow": "Está tardando más de lo normal. Tu foto no se ha perdido; espera, por favor.",
 "saved.title": "¡Tu foto está guardada!",
 "saved.library": "¡Listo!",
 "saved.text": "¡Gracias y disfruta de la fiesta!",
 "cancelled.title": "Cancelado",
 "cancelled.text": "No se ha guardado nada",
 "failed.text": "Inténtalo otra vez",
 "reason.starting": "El fotomatón se está iniciando",
 "reason.cameraUnavailable": "La cámara no está lista. Avisa al personal, por favor.",
 "reason.camera": "La cámara no está lista. Avisa al personal, por favor.",
 "reason.storageFull": "No queda espacio para más fotos. Avisa al personal, por favor.",
 "reason.storageUnavailable": "Ahora no se pueden guardar fotos. Avisa al personal, por favor.",
 "reason.storage": "Ahora no se pueden guardar fotos. Avisa al personal, por favor.",
 "reason.libraryUnavailable": "Ahora no se pueden mostrar las fotos. Avisa al personal, por favor.",
 "reason.library": "Ahora no se pueden mostrar las fotos. Avisa al personal, por favor.",
 "reason.captureFailed": "Lo sentimos, no ha salido bien",
 "reason.captureTimedOut": "Lo sentimos, no ha salido bien",
 "reason.frameUnavailable": "Ese momento no se puede usar. Aquí está otra vez el primero.",
 "reason.saveFailed": "No se ha podido guardar tu foto. Avisa al personal, por favor.",
 "reason.selectionLimitReached": "No puedes elegir más fotos",
 "reason.nothingSelected": "Elige primero una foto",
 "reason.stationFault": "Algo ha fallado",
 "reason.connectionLost": "El fotomatón está haciendo una pausa",
 "trying.camera": "Buscando la cámara",
 "trying.storage": "Esperando espacio libre",
 "trying.library": "Abriendo las fotos de nuevo",
 "trying.fault": "Reiniciando",
 "trying.connection": "Volvemos enseguida. Las fotos guardadas están a salvo.",
 "trying.starting": "Un momento, por favor",
 "retry.in": "Nuevo intento en {n} s",
 "retry.now": "Intentándolo ahora…",
 "staff": "Personal",
 "staff.hold": "Mantén pulsado para abrir la vista del personal",
 "operator.title": "Personal",
 "operator.silent": "No hay respuesta de {url}",
 "library.one": "Elige una foto",
 "library.several": "Elige tus fotos",
 "library.of": "{n} de {limit} elegidas",
 "library.chosen": "{n} elegidas",
 "library.use": "Usar {n}",
 "library.photo": "Foto {n}, {time}",
 "library.empty": "Todavía no hay fotos",
 "library.omitted": "Aquí no se pueden mostrar otras {n} fotos",
 "library.unshown": "Archivos que no se pueden mostrar aquí: {n} ({formats})",
 "view.open": "Ampliar: {label}",
 "view.choose": "Elegir",
 "view.chosen": "Elegida",
 "view.before": "Anterior",
 "view.after": "Siguiente",
 "editor.title": "Recortar y girar",
 "editor.help": "Arrastra el marco o sus esquinas.",
 "editor.box": "Zona de recorte",
 "editor.left": "Girar a la izquierda",
 "editor.right": "Girar a la derecha",
 "editor.closer": "Acercar",
 "editor.wider": "Alejar",
 "editor.reset": "Foto completa",
 "age": "Imagen congelada desde hace {n} s",
 "preview.label": "Imagen en directo de la cámara",
 "languages": "Idioma",
 "dialog.label": "Fotomatón",
 "key.button": "Botón",
 "key.space": "Espacio",
 "key.enter": "Intro",
 "key.esc": "Esc",
 "key.backspace": "Retroceso",
 "key.green": "Verde",
 "key.yellow": "Amarillo",
 "key.red": "Rojo",
 "movie.take": "Grabar un vídeo",
 "movie.recording": "¡Grabando!",
 "movie.stop": "Parar",
 "movie.elapsed": "Tiempo grabado",
 "movie.use": "Guardar vídeo",
 "movie.label": "Tu vídeo",
 "movie.saving": "Guardando tu vídeo…",
 "movie.slow": "Está tardando más de lo normal. Tu vídeo no se ha perdido; espera, por favor.",
 "movie.saved": "¡Tu vídeo está guardado!",
 "movie.tile": "Vídeo {n}, {length}, {time}",
 "movie.dumb": "Esta pantalla no puede reproducir el vídeo",
 "reason.moviesUnavailable": "Ahora no se pueden grabar vídeos",
 "reason.movieCutShort": "El vídeo terminó antes de tiempo. Esto es lo que se ha grabado."
}

"""#),
    PageLiteral(
      name: "languages/fr.json", tag: "\"51efec7cf1a75f2e\"",
      text: #"""
{
 "attract.title": "Prêt pour la photo ?",
 "attract.hint": "Approchez, regardez l’appareil et souriez.",
 "take": "Prendre une photo",
 "press": "ou appuyez sur {keys}",
 "pressOnly": "Appuyez sur {keys}",
 "next": "Appuyez sur {keys} pour la photo suivante",
 "live.title": "Magnifique !",
 "live.hint": "Prenez la photo quand vous voulez.",
 "countdown.ready": "Préparez-vous !",
 "countdown.smile": "Souriez !",
 "countdown.look": "Par ici !",
 "capturing": "C’est bon !",
 "review.title": "Elle vous plaît ?",
 "review.use": "Garder la photo",
 "review.accept": "Enregistrée dans {n} s",
 "review.cancel": "Supprimée dans {n} s",
 "review.more": "Touchez pour avoir plus de temps",
 "review.label": "Votre photo",
 "frames.label": "Choisissez le meilleur moment",
 "frames.one": "Image {n} sur {count}",
 "retake": "Refaire",
 "cancel": "Annuler",
 "review.discard": "Supprimer",
 "edit": "Recadrer et pivoter",
 "done": "Terminé",
 "back": "Retour",
 "close": "Fermer",
 "again": "Encore une",
 "photos": "Photos",
 "timer.label": "Temps restant",
 "saving.title": "Enregistrement de la photo…",
 "saving.library": "Un instant…",
 "saving.slow": "C’est plus long que d’habitude. Votre photo n’est pas perdue, patientez.",
 "saved.title": "Votre photo est enregistrée !",
 "saved.library": "C’est fait !",
 "saved.text": "Merci et bonne fête !",
 "cancelled.title": "Annulé",
 "cancelled.text": "Rien n’a été enregistré",
 "failed.text": "Veuillez réessayer",
 "reason.starting": "Le photomaton démarre",
 "reason.cameraUnavailable": "L’appareil photo n’est pas prêt. Prévenez le personnel.",
 "reason.camera": "L’appareil photo n’est pas prêt. Prévenez le personnel.",
 "reason.storageFull": "Il n’y a plus de place pour d’autres photos. Prévenez le personnel.",
 "reason.storageUnavailable": "Impossible d’enregistrer des photos pour le moment. Prévenez le personnel.",
 "reason.storage": "Impossible d’enregistrer des photos pour le moment. Prévenez le personnel.",
 "reason.libraryUnavailable": "Impossible d’afficher les photos pour le moment. Prévenez le personnel.",
 "reason.library": "Impossible d’afficher les photos pour le moment. Prévenez le personnel.",
 "reason.captureFailed": "Désolé, cette photo est ratée",
 "reason.captureTimedOut": "Désolé, cette photo est ratée",
 "reason.frameUnavailable": "Cet instant n’est pas utilisable. Voici de nouveau le premier.",
 "reason.saveFailed": "Votre photo n’a pas pu être enregistrée. Prévenez le personnel.",
 "reason.selectionLimitReached": "Vous ne pouvez pas choisir plus de photos",
 "reason.nothingSelected": "Choisissez d’abord une photo",
 "reason.stationFault": "Un problème est survenu",
 "reason.connectionLost": "Le photomaton fait une petite pause",
 "trying.camera": "Recherche de l’appareil photo",
 "trying.storage": "En attente d’espace libre",
 "trying.library": "Réouverture des photos",
 "trying.fault": "Redémarrage en cours",
 "trying.connection": "De retour dans un instant. Les photos enregistrées sont à l’abri.",
 "trying.starting": "Un instant, s’il vous plaît",
 "retry.in": "Nouvel essai dans {n} s",
 "retry.now": "Essai en cours…",
 "staff": "Personnel",
 "staff.hold": "Maintenez appuyé pour ouvrir la vue du personnel",
 "operator.title": "Personnel",
 "operator.silent": "Pas de réponse de {url}",
 "library.one": "Choisissez une photo",
 "library.several": "Choisissez vos photos",
 "library.of": "{n} sur {limit} choisies",
 "library.chosen": "{n} choisies",
 "library.use": "Utiliser {n}",
 "library.photo": "Photo {n}, {time}",
 "library.empty": "Il n’y a pas encore de photos",
 "library.omitted": "{n} autres photos ne peuvent pas être affichées ici",
 "library.unshown": "Fichiers impossibles à afficher ici : {n} ({formats})",
 "view.open": "Agrandir : {label}",
 "view.choose": "Choisir",
 "view.chosen": "Choisie",
 "view.before": "Précédente",
 "view.after": "Suivante",
 "editor.title": "Recadrer et pivoter",
 "editor.help": "Déplacez le cadre ou tirez ses coins.",
 "editor.box": "Zone de recadrage",
 "editor.left": "Pivoter à gauche",
 "editor.right": "Pivoter à droite",
 "editor.closer": "Zoom avant",
 "editor.wider": "Zoom arrière",
 "editor.reset": "Photo entière",
 "age": "Image figée depuis {n} s",
 "preview.label": "Image en direct de l’appareil",
 "languages": "Langue",
 "dialog.label": "Photomaton",
 "key.button": "Bouton",
 "key.space": "Espace",
 "key.enter": "Entrée",
 "key.esc": "Échap",
 "key.backspace": "Retour arrière",
 "key.green": "Vert",
 "key.yellow": "Jaune",
 "key.red": "Rouge",
 "movie.take": "Filmer une vidéo",
 "movie.recording": "Ça tourne !",
 "movie.stop": "Arrêter",
 "movie.elapsed": "Temps filmé",
 "movie.use": "Garder la vidéo",
 "movie.label": "Votre vidéo",
 "movie.saving": "Enregistrement de la vidéo…",
 "movie.slow": "C’est plus long que d’habitude. Votre vidéo n’est pas perdue, patientez.",
 "movie.saved": "Votre vidéo est enregistrée !",
 "movie.tile": "Vidéo {n}, {length}, {time}",
 "movie.dumb": "Cet écran ne peut pas lire la vidéo",
 "reason.moviesUnavailable": "Impossible de filmer pour le moment",
 "reason.movieCutShort": "La vidéo s’est arrêtée trop tôt. Voici ce qui a été filmé."
}

"""#),
    PageLiteral(
      name: "languages/ja.json", tag: "\"1b1b1f0a7aceaaa9\"",
      text: #"""
{
 "attract.title": "写真を撮りましょう",
 "attract.hint": "カメラに近づいて、笑顔でどうぞ。",
 "take": "写真を撮る",
 "press": "または {keys} を押す",
 "pressOnly": "{keys} を押してください",
 "next": "{keys} を押すと次の写真を撮れます",
 "live.title": "いい感じです！",
 "live.hint": "準備ができたら撮影してください。",
 "countdown.ready": "準備はいいですか？",
 "countdown.smile": "笑って！",
 "countdown.look": "ここ見て！",
 "capturing": "撮影完了！",
 "review.title": "いかがですか？",
 "review.use": "この写真を残す",
 "review.accept": "あと {n} 秒で保存",
 "review.cancel": "あと {n} 秒で消去",
 "review.more": "タップで延長",
 "review.label": "あなたの写真",
 "frames.label": "いちばん良い瞬間を選んでください",
 "frames.one": "{count}枚中{n}枚目",
 "retake": "撮り直す",
 "cancel": "やめる",
 "review.discard": "消去する",
 "edit": "切り抜きと回転",
 "done": "完了",
 "back": "戻る",
 "close": "閉じる",
 "again": "もう一枚",
 "photos": "写真",
 "timer.label": "残り時間",
 "saving.title": "写真を保存しています…",
 "saving.library": "少々お待ちください…",
 "saving.slow": "いつもより時間がかかっています。写真は失われていません。お待ちください。",
 "saved.title": "写真を保存しました！",
 "saved.library": "完了しました！",
 "saved.text": "ありがとうございます。楽しいひとときを！",
 "cancelled.title": "取り消しました",
 "cancelled.text": "何も保存していません",
 "failed.text": "もう一度お試しください",
 "reason.starting": "フォトブースを起動しています",
 "reason.cameraUnavailable": "カメラの準備ができていません。係の人をお呼びください。",
 "reason.camera": "カメラの準備ができていません。係の人をお呼びください。",
 "reason.storageFull": "写真を保存する空き容量がありません。係の人をお呼びください。",
 "reason.storageUnavailable": "今は写真を保存できません。係の人をお呼びください。",
 "reason.storage": "今は写真を保存できません。係の人をお呼びください。",
 "reason.libraryUnavailable": "今は写真を表示できません。係の人をお呼びください。",
 "reason.library": "今は写真を表示できません。係の人をお呼びください。",
 "reason.captureFailed": "うまく撮れませんでした",
 "reason.captureTimedOut": "うまく撮れませんでした",
 "reason.frameUnavailable": "その瞬間は使えません。最初の写真に戻しました。",
 "reason.saveFailed": "写真を保存できませんでした。係の人をお呼びください。",
 "reason.selectionLimitReached": "これ以上は選べません",
 "reason.nothingSelected": "先に写真を選んでください",
 "reason.stationFault": "問題が起きました",
 "reason.connectionLost": "フォトブースは少しお休み中です",
 "trying.camera": "カメラを探しています",
 "trying.storage": "空き容量を待っています",
 "trying.library": "写真を開き直しています",
 "trying.fault": "起動し直しています",
 "trying.connection": "まもなく再開します。保存した写真は無事です。",
 "trying.starting": "少々お待ちください",
 "retry.in": "{n} 秒後に再試行します",
 "retry.now": "再試行しています…",
 "staff": "スタッフ",
 "staff.hold": "長押しでスタッフ画面を開きます",
 "operator.title": "スタッフ",
 "operator.silent": "{url} から応答がありません",
 "library.one": "写真を選んでください",
 "library.several": "写真を選んでください",
 "library.of": "{limit} 枚中 {n} 枚を選択",
 "library.chosen": "{n} 枚を選択",
 "library.use": "{n} 枚を使う",
 "library.photo": "写真 {n}、{time}",
 "library.empty": "まだ写真がありません",
 "library.omitted": "ほかに{n}枚の写真がありますが、ここには表示できません",
 "library.unshown": "ここで表示できないファイル: {n} ({formats})",
 "view.open": "拡大: {label}",
 "view.choose": "選ぶ",
 "view.chosen": "選択中",
 "view.before": "前へ",
 "view.after": "次へ",
 "editor.title": "切り抜きと回転",
 "editor.help": "枠を動かすか、角を引いてください。",
 "editor.box": "切り抜き範囲",
 "editor.left": "左に回す",
 "editor.right": "右に回す",
 "editor.closer": "拡大",
 "editor.wider": "縮小",
 "editor.reset": "写真全体",
 "age": "映像が {n} 秒止まっています",
 "preview.label": "カメラのライブ映像",
 "languages": "言語",
 "dialog.label": "フォトブース",
 "key.button": "ボタン",
 "key.space": "スペース",
 "key.enter": "Enter",
 "key.esc": "Esc",
 "key.backspace": "Backspace",
 "key.green": "緑",
 "key.yellow": "黄",
 "key.red": "赤",
 "movie.take": "動画を撮る",
 "movie.recording": "録画中！",
 "movie.stop": "停止",
 "movie.elapsed": "録画した時間",
 "movie.use": "この動画を残す",
 "movie.label": "あなたの動画",
 "movie.saving": "動画を保存しています…",
 "movie.slow": "いつもより時間がかかっています。動画は失われていません。お待ちください。",
 "movie.saved": "動画を保存しました！",
 "movie.tile": "動画 {n}、{length}、{time}",
 "movie.dumb": "この画面では動画を再生できません",
 "reason.moviesUnavailable": "今は動画を撮れません",
 "reason.movieCutShort": "動画は途中で終わりました。撮れたところまでご覧ください。"
}

"""#),
    PageLiteral(
      name: "languages/ko.json", tag: "\"bbac561a79e7404b\"",
      text: #"""
{
 "attract.title": "사진 찍을 준비 되셨나요?",
 "attract.hint": "가까이 와서 카메라를 보고 웃어 주세요.",
 "take": "사진 찍기",
 "press": "또는 {keys} 누르기",
 "pressOnly": "{keys} 눌러 주세요",
 "next": "다음 사진은 {keys} 누르기",
 "live.title": "아주 좋아요!",
 "live.hint": "준비되면 사진을 찍어 주세요.",
 "countdown.ready": "준비하세요!",
 "countdown.smile": "웃으세요!",
 "countdown.look": "여기 보세요!",
 "capturing": "찍었어요!",
 "review.title": "사진이 마음에 드세요?",
 "review.use": "사진 저장",
 "review.accept": "{n}초 후 저장",
 "review.cancel": "{n}초 후 삭제",
 "review.more": "터치하면 시간이 늘어나요",
 "review.label": "내 사진",
 "frames.label": "가장 좋은 순간을 골라 주세요",
 "frames.one": "{count}장 중 {n}번째",
 "retake": "다시 찍기",
 "cancel": "취소",
 "review.discard": "삭제",
 "edit": "자르기와 회전",
 "done": "완료",
 "back": "뒤로",
 "close": "닫기",
 "again": "한 장 더",
 "photos": "사진",
 "timer.label": "남은 시간",
 "saving.title": "사진을 저장하고 있어요…",
 "saving.library": "잠시만 기다려 주세요…",
 "saving.slow": "평소보다 오래 걸리고 있어요. 사진은 사라지지 않으니 기다려 주세요.",
 "saved.title": "사진이 저장되었어요!",
 "saved.library": "완료되었어요!",
 "saved.text": "감사합니다. 즐거운 파티 되세요!",
 "cancelled.title": "취소되었어요",
 "cancelled.text": "저장된 것이 없어요",
 "failed.text": "다시 시도해 주세요",
 "reason.starting": "포토 부스를 시작하고 있어요",
 "reason.cameraUnavailable": "카메라가 준비되지 않았어요. 직원에게 알려 주세요.",
 "reason.camera": "카메라가 준비되지 않았어요. 직원에게 알려 주세요.",
 "reason.storageFull": "사진을 저장할 공간이 없어요. 직원에게 알려 주세요.",
 "reason.storageUnavailable": "지금은 사진을 저장할 수 없어요. 직원에게 알려 주세요.",
 "reason.storage": "지금은 사진을 저장할 수 없어요. 직원에게 알려 주세요.",
 "reason.libraryUnavailable": "지금은 사진을 볼 수 없어요. 직원에게 알려 주세요.",
 "reason.library": "지금은 사진을 볼 수 없어요. 직원에게 알려 주세요.",
 "reason.captureFailed": "사진이 잘 찍히지 않았어요",
 "reason.captureTimedOut": "사진이 잘 찍히지 않았어요",
 "reason.frameUnavailable": "그 순간은 사용할 수 없어요. 처음 사진으로 돌아왔어요.",
 "reason.saveFailed": "사진을 저장하지 못했어요. 직원에게 알려 주세요.",
 "reason.selectionLimitReached": "더 이상 선택할 수 없어요",
 "reason.nothingSelected": "먼저 사진을 선택해 주세요",
 "reason.stationFault": "문제가 생겼어요",
 "reason.connectionLost": "포토 부스가 잠시 쉬고 있어요",
 "trying.camera": "카메라를 찾고 있어요",
 "trying.storage": "저장 공간을 기다리고 있어요",
 "trying.library": "사진을 다시 열고 있어요",
 "trying.fault": "다시 시작하고 있어요",
 "trying.connection": "곧 돌아올게요. 저장된 사진은 안전해요.",
 "trying.starting": "잠시만 기다려 주세요",
 "retry.in": "{n}초 후 다시 시도해요",
 "retry.now": "다시 시도하고 있어요…",
 "staff": "직원",
 "staff.hold": "길게 누르면 직원 화면이 열려요",
 "operator.title": "직원",
 "operator.silent": "{url}에서 응답이 없어요",
 "library.one": "사진을 선택하세요",
 "library.several": "사진을 선택하세요",
 "library.of": "{limit}장 중 {n}장 선택",
 "library.chosen": "{n}장 선택",
 "library.use": "{n}장 사용",
 "library.photo": "사진 {n}, {time}",
 "library.empty": "아직 사진이 없어요",
 "library.omitted": "여기에 표시할 수 없는 사진이 {n}장 더 있습니다",
 "library.unshown": "여기에 표시할 수 없는 파일: {n} ({formats})",
 "view.open": "크게 보기: {label}",
 "view.choose": "선택",
 "view.chosen": "선택됨",
 "view.before": "이전",
 "view.after": "다음",
 "editor.title": "자르기와 회전",
 "editor.help": "틀을 끌거나 모서리를 당기세요.",
 "editor.box": "자르기 영역",
 "editor.left": "왼쪽으로 돌리기",
 "editor.right": "오른쪽으로 돌리기",
 "editor.closer": "확대",
 "editor.wider": "축소",
 "editor.reset": "사진 전체",
 "age": "화면이 {n}초째 멈춰 있어요",
 "preview.label": "카메라 실시간 화면",
 "languages": "언어",
 "dialog.label": "포토 부스",
 "key.button": "버튼",
 "key.space": "스페이스",
 "key.enter": "Enter",
 "key.esc": "Esc",
 "key.backspace": "Backspace",
 "key.green": "초록",
 "key.yellow": "노랑",
 "key.red": "빨강",
 "movie.take": "동영상 찍기",
 "movie.recording": "녹화 중!",
 "movie.stop": "정지",
 "movie.elapsed": "녹화한 시간",
 "movie.use": "동영상 저장",
 "movie.label": "내 동영상",
 "movie.saving": "동영상을 저장하고 있어요…",
 "movie.slow": "평소보다 오래 걸리고 있어요. 동영상은 사라지지 않으니 기다려 주세요.",
 "movie.saved": "동영상이 저장되었어요!",
 "movie.tile": "동영상 {n}, {length}, {time}",
 "movie.dumb": "이 화면에서는 동영상을 재생할 수 없어요",
 "reason.moviesUnavailable": "지금은 동영상을 찍을 수 없어요",
 "reason.movieCutShort": "동영상이 일찍 끝났어요. 여기까지 찍혔어요."
}

"""#),
    PageLiteral(
      name: "languages/staff/de.json", tag: "\"01eacf1adc4c9f68\"",
      text: #"""
{
 "staff.pin": "PIN",
 "staff.wrong": "Falsche PIN. Bitte noch einmal.",
 "staff.slow": "Zu viele falsche PINs. Bitte zehn Sekunden warten.",
 "staff.erase": "Löschen",
 "staff.now": "Jetzt",
 "staff.fix": "Abhilfe: {fix}",
 "staff.well": "Alles in Ordnung",
 "staff.taken": "Fotos",
 "staff.taken.since": "{n} seit dem Start, Album „{album}“",
 "staff.room": "Freier Speicher",
 "staff.room.for": "{size}, etwa {n} Fotos",
 "staff.copies": "Kopien",
 "staff.copies.waiting": "{n} ausstehend",
 "staff.camera": "Kamera",
 "staff.camera.rate": "{n} Bilder pro Sekunde",
 "staff.camera.dark": "zu wenig Licht",
 "staff.buttons": "Tasten",
 "staff.buttons.presses": "{n}-mal gedrückt",
 "staff.version": "Version",
 "staff.faults": "Letzte Störungen",
 "staff.faults.none": "Keine seit dem Start",
 "staff.faults.now": "dauert noch an",
 "staff.faults.lasted": "dauerte {time}",
 "staff.raw": "Rohwerte",
 "staff.test": "Testfoto",
 "staff.test.again": "Noch eins",
 "staff.test.guide": "{size}. Das Testfoto wird nicht gespeichert. Köpfe passen ins Oval, Augen liegen nahe der oberen Linie.",
 "staff.photos": "Fotos",
 "staff.album": "Nächstes Album",
 "staff.album.sure": "Das nächste Album nach „{album}“ beginnen? Neue Fotos kommen dann dorthin.",
 "staff.album.yes": "Album beginnen",
 "staff.album.done": "Neue Fotos kommen ins Album „{album}“",
 "staff.restart": "Neustart",
 "staff.restart.sure": "Station neu starten? Das dauert ein paar Sekunden.",
 "staff.restart.done": "Die Station startet neu",
 "staff.delete": "Löschen",
 "staff.delete.sure": "{name} endgültig löschen? Auch die Kopien werden gelöscht.",
 "staff.deleted": "{name} ist gelöscht",
 "staff.more": "Mehr anzeigen",
 "staff.back": "Zurück",
 "staff.library": "Speicher",
 "staff.state.ready": "bereit",
 "staff.state.absent": "nicht da",
 "staff.state.copying": "wird kopiert",
 "staff.state.full": "voll",
 "staff.state.failing": "defekt",
 "staff.state.waiting": "wartet",
 "staff.state.refused": "abgelehnt",
 "staff.state.silent": "keine Antwort",
 "staff.state.armed": "bereit",
 "staff.state.stuck": "klemmt",
 "staff.configuration": "Konfiguration"
}

"""#),
    PageLiteral(
      name: "languages/staff/en.json", tag: "\"54c57f925301eca4\"",
      text: #"""
{
 "staff.pin": "PIN",
 "staff.wrong": "Wrong PIN. Try again.",
 "staff.slow": "Too many wrong PINs. Please wait ten seconds.",
 "staff.erase": "Erase",
 "staff.now": "Now",
 "staff.fix": "What to do: {fix}",
 "staff.well": "Everything is working",
 "staff.taken": "Photos",
 "staff.taken.since": "{n} since the start, album “{album}”",
 "staff.room": "Free space",
 "staff.room.for": "{size}, about {n} photos",
 "staff.copies": "Copies",
 "staff.copies.waiting": "{n} waiting",
 "staff.camera": "Camera",
 "staff.camera.rate": "{n} pictures per second",
 "staff.camera.dark": "too little light",
 "staff.buttons": "Buttons",
 "staff.buttons.presses": "pressed {n} times",
 "staff.version": "Version",
 "staff.faults": "Last faults",
 "staff.faults.none": "None since the start",
 "staff.faults.now": "still going on",
 "staff.faults.lasted": "lasted {time}",
 "staff.raw": "Raw values",
 "staff.test": "Test shot",
 "staff.test.again": "Take another",
 "staff.test.guide": "{size}. The test shot is not saved. Heads fit into the oval, eyes are near the upper line.",
 "staff.photos": "Photos",
 "staff.album": "Next album",
 "staff.album.sure": "Start the next album after “{album}”? New photos will go there.",
 "staff.album.yes": "Start album",
 "staff.album.done": "New photos go to the album “{album}”",
 "staff.restart": "Restart",
 "staff.restart.sure": "Restart the station? This takes a few seconds.",
 "staff.restart.done": "The station is restarting",
 "staff.delete": "Delete",
 "staff.delete.sure": "Delete {name} for good? Its copies are deleted too.",
 "staff.deleted": "{name} is deleted",
 "staff.more": "Show more",
 "staff.back": "Back",
 "staff.library": "Storage",
 "staff.state.ready": "ready",
 "staff.state.absent": "not there",
 "staff.state.copying": "copying",
 "staff.state.full": "full",
 "staff.state.failing": "failing",
 "staff.state.waiting": "waiting",
 "staff.state.refused": "refused",
 "staff.state.silent": "no answer",
 "staff.state.armed": "ready",
 "staff.state.stuck": "stuck",
 "staff.configuration": "Configuration"
}

"""#),
    PageLiteral(
      name: "languages/staff/es.json", tag: "\"ec4dde9062b15e13\"",
      text: #"""
{
 "staff.pin": "PIN",
 "staff.wrong": "PIN incorrecto. Prueba otra vez.",
 "staff.slow": "Demasiados PIN incorrectos. Espera diez segundos.",
 "staff.erase": "Borrar",
 "staff.now": "Ahora",
 "staff.fix": "Qué hacer: {fix}",
 "staff.well": "Todo funciona",
 "staff.taken": "Fotos",
 "staff.taken.since": "{n} desde el inicio, álbum «{album}»",
 "staff.room": "Espacio libre",
 "staff.room.for": "{size}, unas {n} fotos",
 "staff.copies": "Copias",
 "staff.copies.waiting": "{n} pendientes",
 "staff.camera": "Cámara",
 "staff.camera.rate": "{n} imágenes por segundo",
 "staff.camera.dark": "falta luz",
 "staff.buttons": "Botones",
 "staff.buttons.presses": "pulsado {n} veces",
 "staff.version": "Versión",
 "staff.faults": "Últimos fallos",
 "staff.faults.none": "Ninguno desde el inicio",
 "staff.faults.now": "continúa",
 "staff.faults.lasted": "duró {time}",
 "staff.raw": "Valores sin procesar",
 "staff.test": "Foto de prueba",
 "staff.test.again": "Hacer otra",
 "staff.test.guide": "{size}. La foto de prueba no se guarda. Las cabezas caben en el óvalo y los ojos quedan cerca de la línea superior.",
 "staff.photos": "Fotos",
 "staff.album": "Álbum siguiente",
 "staff.album.sure": "¿Empezar el álbum que sigue a «{album}»? Las fotos nuevas irán allí.",
 "staff.album.yes": "Empezar álbum",
 "staff.album.done": "Las fotos nuevas van al álbum «{album}»",
 "staff.restart": "Reiniciar",
 "staff.restart.sure": "¿Reiniciar la estación? Tarda unos segundos.",
 "staff.restart.done": "La estación se está reiniciando",
 "staff.delete": "Borrar",
 "staff.delete.sure": "¿Borrar {name} para siempre? También se borran sus copias.",
 "staff.deleted": "{name} se ha borrado",
 "staff.more": "Mostrar más",
 "staff.back": "Atrás",
 "staff.library": "Almacenamiento",
 "staff.state.ready": "lista",
 "staff.state.absent": "no está",
 "staff.state.copying": "copiando",
 "staff.state.full": "llena",
 "staff.state.failing": "con fallos",
 "staff.state.waiting": "en espera",
 "staff.state.refused": "rechazada",
 "staff.state.silent": "sin respuesta",
 "staff.state.armed": "listo",
 "staff.state.stuck": "atascado",
 "staff.configuration": "Configuración"
}

"""#),
    PageLiteral(
      name: "languages/staff/fr.json", tag: "\"e48a378e022f4e97\"",
      text: #"""
{
 "staff.pin": "Code PIN",
 "staff.wrong": "Code PIN incorrect. Réessayez.",
 "staff.slow": "Trop de codes PIN incorrects. Patientez dix secondes.",
 "staff.erase": "Effacer",
 "staff.now": "Maintenant",
 "staff.fix": "Que faire : {fix}",
 "staff.well": "Tout fonctionne",
 "staff.taken": "Photos",
 "staff.taken.since": "{n} depuis le démarrage, album « {album} »",
 "staff.room": "Espace libre",
 "staff.room.for": "{size}, environ {n} photos",
 "staff.copies": "Copies",
 "staff.copies.waiting": "{n} en attente",
 "staff.camera": "Appareil photo",
 "staff.camera.rate": "{n} images par seconde",
 "staff.camera.dark": "trop peu de lumière",
 "staff.buttons": "Boutons",
 "staff.buttons.presses": "appuyé {n} fois",
 "staff.version": "Version",
 "staff.faults": "Dernières pannes",
 "staff.faults.none": "Aucune depuis le démarrage",
 "staff.faults.now": "toujours en cours",
 "staff.faults.lasted": "durée : {time}",
 "staff.raw": "Valeurs brutes",
 "staff.test": "Photo d’essai",
 "staff.test.again": "En prendre une autre",
 "staff.test.guide": "{size}. La photo d’essai n’est pas enregistrée. Les têtes tiennent dans l’ovale, les yeux près de la ligne du haut.",
 "staff.photos": "Photos",
 "staff.album": "Album suivant",
 "staff.album.sure": "Commencer l’album après « {album} » ? Les nouvelles photos y seront enregistrées.",
 "staff.album.yes": "Commencer l’album",
 "staff.album.done": "Les nouvelles photos vont dans l’album « {album} »",
 "staff.restart": "Redémarrer",
 "staff.restart.sure": "Redémarrer la station ? Cela prend quelques secondes.",
 "staff.restart.done": "La station redémarre",
 "staff.delete": "Supprimer",
 "staff.delete.sure": "Supprimer définitivement {name} ? Ses copies seront aussi supprimées.",
 "staff.deleted": "{name} est supprimée",
 "staff.more": "Afficher plus",
 "staff.back": "Retour",
 "staff.library": "Stockage",
 "staff.state.ready": "prête",
 "staff.state.absent": "absente",
 "staff.state.copying": "en cours",
 "staff.state.full": "pleine",
 "staff.state.failing": "en panne",
 "staff.state.waiting": "en attente",
 "staff.state.refused": "refusée",
 "staff.state.silent": "pas de réponse",
 "staff.state.armed": "prêt",
 "staff.state.stuck": "bloqué",
 "staff.configuration": "Configuration"
}

"""#),
    PageLiteral(
      name: "languages/staff/ja.json", tag: "\"784b647725c86ad5\"",
      text: #"""
{
 "staff.pin": "暗証番号",
 "staff.wrong": "暗証番号が違います。もう一度どうぞ。",
 "staff.slow": "暗証番号の間違いが続きました。10 秒お待ちください。",
 "staff.erase": "消す",
 "staff.now": "現在",
 "staff.fix": "対処方法：{fix}",
 "staff.well": "すべて正常です",
 "staff.taken": "写真",
 "staff.taken.since": "起動後 {n} 枚、アルバム「{album}」",
 "staff.room": "空き容量",
 "staff.room.for": "{size}、約 {n} 枚分",
 "staff.copies": "コピー",
 "staff.copies.waiting": "{n} 件待ち",
 "staff.camera": "カメラ",
 "staff.camera.rate": "毎秒 {n} コマ",
 "staff.camera.dark": "光が足りません",
 "staff.buttons": "ボタン",
 "staff.buttons.presses": "{n} 回押されました",
 "staff.version": "バージョン",
 "staff.faults": "最近の障害",
 "staff.faults.none": "起動後はありません",
 "staff.faults.now": "継続中",
 "staff.faults.lasted": "{time}続きました",
 "staff.raw": "生の値",
 "staff.test": "テスト撮影",
 "staff.test.again": "もう一度撮る",
 "staff.test.guide": "{size}。テスト写真は保存されません。頭が楕円に収まり、目が上の線の近くに来るようにします。",
 "staff.photos": "写真",
 "staff.album": "次のアルバム",
 "staff.album.sure": "「{album}」の次のアルバムを始めますか？新しい写真はそこに入ります。",
 "staff.album.yes": "アルバムを始める",
 "staff.album.done": "新しい写真はアルバム「{album}」に入ります",
 "staff.restart": "再起動",
 "staff.restart.sure": "ステーションを再起動しますか？数秒かかります。",
 "staff.restart.done": "ステーションを再起動しています",
 "staff.delete": "削除",
 "staff.delete.sure": "{name} を完全に削除しますか？コピーも削除されます。",
 "staff.deleted": "{name} を削除しました",
 "staff.more": "さらに表示",
 "staff.back": "戻る",
 "staff.library": "保存先",
 "staff.state.ready": "準備完了",
 "staff.state.absent": "ありません",
 "staff.state.copying": "コピー中",
 "staff.state.full": "空きなし",
 "staff.state.failing": "故障",
 "staff.state.waiting": "待機中",
 "staff.state.refused": "使用不可",
 "staff.state.silent": "応答なし",
 "staff.state.armed": "準備完了",
 "staff.state.stuck": "押されたまま",
 "staff.configuration": "設定"
}

"""#),
    PageLiteral(
      name: "languages/staff/ko.json", tag: "\"094b3d58e39b6a53\"",
      text: #"""
{
 "staff.pin": "PIN",
 "staff.wrong": "PIN이 틀렸어요. 다시 입력해 주세요.",
 "staff.slow": "PIN을 여러 번 틀렸어요. 10초 기다려 주세요.",
 "staff.erase": "지우기",
 "staff.now": "현재",
 "staff.fix": "해결 방법: {fix}",
 "staff.well": "모두 정상이에요",
 "staff.taken": "사진",
 "staff.taken.since": "시작 후 {n}장, 앨범 ‘{album}’",
 "staff.room": "남은 공간",
 "staff.room.for": "{size}, 약 {n}장",
 "staff.copies": "복사본",
 "staff.copies.waiting": "{n}개 대기 중",
 "staff.camera": "카메라",
 "staff.camera.rate": "초당 {n}장",
 "staff.camera.dark": "빛이 부족해요",
 "staff.buttons": "버튼",
 "staff.buttons.presses": "{n}번 눌림",
 "staff.version": "버전",
 "staff.faults": "최근 장애",
 "staff.faults.none": "시작 후 없음",
 "staff.faults.now": "계속되는 중",
 "staff.faults.lasted": "{time} 동안 지속",
 "staff.raw": "원시 값",
 "staff.test": "시험 촬영",
 "staff.test.again": "다시 찍기",
 "staff.test.guide": "{size}. 시험 사진은 저장되지 않아요. 머리가 타원 안에, 눈이 위쪽 선 가까이에 오게 하세요.",
 "staff.photos": "사진",
 "staff.album": "다음 앨범",
 "staff.album.sure": "‘{album}’ 다음 앨범을 시작할까요? 새 사진은 그곳에 저장돼요.",
 "staff.album.yes": "앨범 시작",
 "staff.album.done": "새 사진은 앨범 ‘{album}’에 저장돼요",
 "staff.restart": "다시 시작",
 "staff.restart.sure": "스테이션을 다시 시작할까요? 몇 초 걸려요.",
 "staff.restart.done": "스테이션을 다시 시작하고 있어요",
 "staff.delete": "삭제",
 "staff.delete.sure": "{name} 파일을 완전히 삭제할까요? 복사본도 삭제돼요.",
 "staff.deleted": "{name} 삭제됨",
 "staff.more": "더 보기",
 "staff.back": "뒤로",
 "staff.library": "저장소",
 "staff.state.ready": "준비됨",
 "staff.state.absent": "없음",
 "staff.state.copying": "복사 중",
 "staff.state.full": "가득 참",
 "staff.state.failing": "고장",
 "staff.state.waiting": "대기 중",
 "staff.state.refused": "거부됨",
 "staff.state.silent": "응답 없음",
 "staff.state.armed": "준비됨",
 "staff.state.stuck": "눌린 채 고정됨",
 "staff.configuration": "설정"
}

"""#),
    PageLiteral(
      name: "library.css", tag: "\"9b73108a2aca4a46\"",
      text: #"""
/* The library's grid and the crop box. */
.library { position: absolute; inset: 0; flex-direction: column; }
.library header { position: relative; display: flex; flex-wrap: wrap; align-items: baseline; justify-content: space-between; gap: 0 1rem; padding: var(--gap) calc(var(--gap) * 1.2) calc(var(--gap) * .6); }
.library header p { color: var(--soft); }
.library .scroll { flex: 1; min-height: 0; overflow: hidden auto; padding: .3rem calc(var(--gap) * 1.2) 1rem; overscroll-behavior: contain; scrollbar-color: var(--line) transparent; touch-action: pan-y; }
.grid { display: grid; grid-template-columns: repeat(auto-fill, minmax(clamp(6rem, max(17cqw, 15cqh), 11rem), 1fr)); gap: .6rem; }
.cell { position: relative; content-visibility: auto; contain-intrinsic-size: 9rem 12rem; }
.tile { position: relative; display: block; width: 100%; aspect-ratio: 3 / 4; border-radius: .6rem; background: var(--raised); }
.look { position: absolute; left: 0; bottom: 0; min-width: 44px; height: 44px; padding: 0 .3rem; border-radius: .6rem; }
.look svg, .look span { display: block; width: max-content; padding: .2rem .5rem; border-radius: 1rem; background: #000c; color: #fff; font-size: max(16px, .8em); }
.look svg { width: 1.9rem; height: 1.9rem; padding: .35rem; }
body[data-state=idle] .library :is(.look:has(svg), footer .keys) { display: none; }
.tile :is(img, video) { width: 100%; height: 100%; object-fit: cover; border-radius: inherit; display: block; transition: transform .15s var(--calm); }
.tile[aria-pressed=true] :is(img, video) { transform: scale(.9); }
.tile[aria-pressed=true] { box-shadow: inset 0 0 0 .2rem var(--accent); background: #3a2a10; }
.tile .order { position: absolute; right: .4rem; top: .4rem; min-width: 2.1rem; height: 2.1rem; padding: 0 .4rem; border-radius: 2rem; display: grid; place-items: center; font-weight: 700; background: var(--accent); color: var(--on-accent); opacity: 0; transform: scale(.6); transition: transform .15s var(--calm), opacity .15s; }
.tile[aria-pressed=true] .order { opacity: 1; transform: none; }
html[data-input=keyboard] .tile:focus-visible { outline-offset: -.1rem; z-index: 1; }
.library .empty { white-space: pre-line;  color: var(--soft); text-align: center; padding: 3rem 1rem; }
.library footer { display: flex; flex-wrap: wrap; gap: .6rem; justify-content: flex-end; padding: calc(var(--gap) * .7) calc(var(--gap) * 1.2) var(--gap); box-shadow: 0 -1px 0 var(--line); }
.library footer .choice { width: auto; flex: 0 1 auto; }
.library footer .accept { flex: 1 1 12rem; max-width: 26rem; }
.library footer .choice:first-child { margin-right: auto; }
@container app (max-aspect-ratio: 999/1000) {
  .library footer .accept { order: -1; flex-basis: 100%; max-width: none; }
  .library footer .choice:first-child { order: 1; margin: 0 0 0 auto; }
  #library-edit { max-width: 50%; margin-right: auto; }
  .library footer .choice:not(.accept) .keys { display: none; }
}

.viewer { position: fixed; inset: 0; width: 100vw; max-width: none; height: 100vh; max-height: none; padding: 0; border: 0; background: var(--ground); color: var(--text); overflow: hidden; }
.viewer[open] { display: flex; flex-direction: column; }
.stage { position: relative; flex: 1; min-height: 0; touch-action: none; background: #000; }
.stage > * { position: absolute; inset: 0; width: 100%; height: 100%; object-fit: contain; }
.viewing, .turns { display: flex; align-items: center; justify-content: space-between; gap: .5rem; }
.viewing { flex-wrap: wrap; padding: .5rem var(--gap); }
.viewing h2 { min-width: 4.5em; font-size: 1em; text-align: center; font-variant-numeric: tabular-nums; }
.viewing .choice { width: auto; }
.viewing .tool { flex: none; width: 4rem; }
@media (max-width: 600px) { .turns { order: -1; flex-basis: 100%; } .viewing { gap: .3rem .5rem; padding-block: .3rem; } }
@media (max-height: 420px) { .viewing :is(.choice, .tool) { min-height: 44px; } }
.viewing .tool:disabled { opacity: .3; }

.editor { position: absolute; inset: 0; gap: var(--gap); padding: var(--gap); }
.bench { position: relative; flex: 1; min-width: 0; min-height: 0; touch-action: none; overflow: hidden; }
.turntable { position: absolute; left: 50%; top: 50%; transform-origin: 50% 50%; }
.turntable img { display: block; width: 100%; height: 100%; border-radius: .2rem; }
.shade { position: absolute; inset: 0; overflow: hidden; border-radius: .2rem; }
.shade i { position: absolute; left: 0; top: 0; box-shadow: 0 0 0 200vmax #000a; }
.crop { position: absolute; left: 0; top: 0; box-shadow: inset 0 0 0 .18rem #fff; touch-action: none; transform-origin: 0 0; }
.crop::before, .crop::after { content: ""; position: absolute; pointer-events: none; opacity: .45; }
.crop::before { inset: 0 33.33%; border-inline: 1px solid #fff; }
.crop::after { inset: 33.33% 0; border-block: 1px solid #fff; }
.crop i { position: absolute; width: max(3.2rem, 48px); height: max(3.2rem, 48px); touch-action: none; }
.crop i::after { content: ""; position: absolute; width: 1.5rem; height: 1.5rem; border: .35rem solid var(--accent); }
.crop .nw { left: -1rem; top: -1rem; } .crop .nw::after { left: .8rem; top: .8rem; border-width: .35rem 0 0 .35rem; }
.crop .ne { right: -1rem; top: -1rem; } .crop .ne::after { right: .8rem; top: .8rem; border-width: .35rem .35rem 0 0; }
.crop .sw { left: -1rem; bottom: -1rem; } .crop .sw::after { left: .8rem; bottom: .8rem; border-width: 0 0 .35rem .35rem; }
.crop .se { right: -1rem; bottom: -1rem; } .crop .se::after { right: .8rem; bottom: .8rem; border-width: 0 .35rem .35rem 0; }
html[data-input=keyboard] .crop:focus-visible { outline-offset: -.5rem; outline-color: var(--accent); }
.tools { display: flex; flex-direction: column; gap: calc(var(--gap) * .8); }
.tools p { color: var(--soft); }
.tools .accept { margin-bottom: .8rem; }
.tools .corner { width: auto; margin: auto 0 0 auto; }
.row { display: flex; flex-wrap: wrap; gap: .5rem; }
.tool { flex: 1 1 44px; display: grid; place-items: center; min-height: max(3.2rem, 48px); min-width: 44px; border-radius: var(--round); background: var(--raised); box-shadow: inset 0 0 0 1px var(--line); transition: transform .12s var(--calm); }
.tool svg { width: 1.6em; height: 1.6em; }
@container app (min-aspect-ratio: 1/1) {
  .editor { flex-direction: row; }
  .tools { width: clamp(11rem, 34cqw, 26rem); }
}
@container app (max-aspect-ratio: 999/1000) { .editor { flex-direction: column; } }
@container app (max-height: 420px) {
  .tools { gap: .4rem; }
  .tools .accept { order: -1; margin: 0; }
  .tool { min-width: 40px; flex-basis: 40px; min-height: 44px; }
  .tools h1 { font-size: 1.2em; }
  .row { gap: .35rem; }
  .library header { padding: .4rem .7rem .2rem; }
  .library header h1 { font-size: 1.2em; }
  .library footer { padding: .35rem .7rem .4rem; flex-wrap: nowrap; }
  .library footer .accept { flex-basis: auto; }
}
@container app (max-height: 420px) or ((max-aspect-ratio: 999/1000) and (max-height: 640px)) {
  .tools p, .library footer .keys { display: none; }
  .library footer .choice { min-height: 48px; font-size: 1em; padding-inline: .6em; gap: .4em; }
}
@container app (max-height: 420px) and (max-width: 420px) {
  .tools h1, .library footer .choice:not(#library-edit) svg { display: none; }
  #library-edit { flex: 0 0 3rem !important; justify-content: center; }
  #library-edit .name { position: absolute; clip-path: inset(50%); }
}

"""#),
    PageLiteral(
      name: "library.js", tag: "\"a10231437ca0343f\"",
      text: ##"""
// The grid of saved photos; several can be picked, in an order, or all just looked at.
import { $, all, clock, make, write } from "./dom.js";
import { language, t } from "./text.js";
import { original, thumbnail } from "./slides.js";
import { Viewer } from "./viewer.js";

const PAGE = 60;
/** How long the photos stay open that nobody touches. */
const STAY = 60000;

export class Library {
  #station; #changed;
  #viewer = new Viewer();
  #photos = [];
  #open = false;
  #stay = null;
  #grid = $("library-grid");
  #scroll = $("library-scroll");
  #session = null;
  #next = null;
  #loading = false;
  #seen = 0;
  #place = 0;
  #on = false;
  #focused = null;

  constructor(station, changed) {
    this.#station = station;
    this.#changed = changed;
    this.#grid.addEventListener("click", ({ target }) => {
      const tile = target.closest(".cell")?.firstElementChild;
      if (tile && (this.#open || target.closest(".look"))) this.#look(tile);
      else if (tile) this.#toggle(tile.dataset.item);
    });
    $("photos").addEventListener("click", () => this.open());
    for (const name of ["pointerdown", "keydown"]) addEventListener(name, () => this.#open && this.#wait(), { passive: true });
    this.#grid.addEventListener("keydown", (event) => this.#walk(event));
    this.#grid.addEventListener("focusin", (event) => (this.#focused = event.target.closest(".tile")));
    this.#scroll.addEventListener("scroll", () => {
      this.#place = this.#scroll.scrollTop;
      this.#more();
    }, { passive: true });
    $("library-edit").addEventListener("click", () => this.edit());
  }

  /** Whether a guest looks through the photos; that is the page's own matter, and no session. */
  get isOpen() {
    return this.#open;
  }

  /** Opens the photos to be looked at. */
  open() {
    this.#open = true;
    this.#wait();
    this.#changed();
  }

  /** Closes them; false if they are not open. */
  leave() {
    if (!this.#open) return false;
    this.#open = false;
    this.#changed();
    return true;
  }

  #wait() {
    clearTimeout(this.#stay);
    this.#stay = setTimeout(() => this.leave(), STAY);
  }

  #look(tile) {
    const index = this.#photos.findIndex((photo) => photo.id === tile.dataset.item);
    this.#viewer.open(this.#photos, index, this.#open ? null : (id) => this.#toggle(id));
  }

  /** Shows the library of `state`, or hides it with null; its place is kept while a photo is cropped. */
  show(state, any) {
    const on = state !== null;
    if (!on) {
      this.#on = this.#open = false;
      clearTimeout(this.#stay);
      this.#viewer.close();
      if (any && !["browsing", "editing"].includes(any.state)) this.#empty();
      return;
    }
    const key = `${state.instance}:${state.session}`;
    if (key !== this.#session) {
      this.#empty();
      this.#session = key;
      this.#load();
    }
    if (!this.#on) {
      this.#scroll.scrollTop = this.#place;
      this.#focused?.isConnected && this.#focused.focus({ preventScroll: true });
    }
    this.#on = true;
    this.#mark(state);
  }

  /** Opens the crop box for the photo chosen last. */
  edit() {
    const item = this.#station.state?.selection?.at(-1);
    if (item) this.#station.send("editor", { item }).catch(() => {});
  }

  #empty() {
    if (this.#session === null) return;
    this.#session = this.#next = this.#focused = null;
    this.#seen = this.#place = 0;
    this.#photos = [];
    this.#grid.replaceChildren();
    $("library-empty").hidden = $("library-unshown").hidden = true;
  }

  async #load(cursor) {
    if (this.#loading) return;
    this.#loading = true;
    const session = this.#session;
    try {
      const before = cursor ? `&before=${encodeURIComponent(cursor)}` : "";
      const answer = await fetch(`/api/v1/photos?limit=${PAGE}${before}`, { signal: AbortSignal.timeout(8000) });
      if (!answer.ok) throw new Error(`photos: ${answer.status}`);
      const { photos, next, unshown, omitted } = await answer.json();
      if (session !== this.#session) return;
      this.#next = next;
      // A session for pictures has no use for movies.
      const movies = this.#open || (this.#station.state?.media ?? []).includes("movie");
      const offered = photos.filter((photo) => movies || photo.kind !== "movie");
      this.#photos.push(...offered);
      this.#grid.append(...offered.map((photo) => this.#tile(photo)));
      $("library-empty").hidden = this.#grid.childElementCount > 0 || next !== null;
      // Said at the end of all pages: a guest who misses a photo looks there.
      const missing = [];
      if (next === null && omitted > 0) missing.push(t("library.omitted", { n: omitted }));
      if (next === null && unshown?.count > 0) missing.push(t("library.unshown", { n: unshown.count, formats: unshown.formats.join(", ") }));
      write($("library-unshown"), missing.join("\n"));
      $("library-unshown").hidden = !missing.length;
      if (!cursor && document.activeElement?.dataset.screen === "library") {
        this.#grid.querySelector(".tile")?.focus({ preventScroll: true });
      }
      this.#mark(this.#station.state);
    } catch {
      setTimeout(() => session === this.#session && this.#load(cursor), 1500);
    } finally {
      this.#loading = false;
      if (session !== this.#session && this.#session !== null && !this.#seen) this.#load();
      else this.#more();
    }
  }

  #more() {
    const { scrollTop, clientHeight, scrollHeight } = this.#scroll;
    if (this.#on && this.#next && !this.#loading && scrollTop + 2 * clientHeight > scrollHeight) {
      this.#load(this.#next);
    }
  }

  #tile(photo) {
    const number = ++this.#seen;
    const taken = new Date(photo.taken);
    const time = isNaN(taken) ? "" : taken.toLocaleTimeString(language(), { hour: "numeric", minute: "2-digit" });
    const label = t("library.photo", { n: number, time });
    const look = make("button", { type: "button", className: "look", "aria-label": t("view.open", { label }) });
    const tile = make("button", { type: "button", className: "tile", "data-item": photo.id },
      make("img", { alt: "", loading: "lazy", decoding: "async", src: thumbnail(photo.id) }),
      make("span", { className: "order", "aria-hidden": "true" }));
    tile.setAttribute("aria-label", label);
    look.innerHTML = '<svg aria-hidden="true"><use href="#i-look"/></svg>';
    if (photo.kind === "movie") {
      const length = photo.durationMs ? clock(Math.round(photo.durationMs / 1000)) : "";
      tile.dataset.kind = "movie";
      look.replaceChildren(make("span", { className: "length", textContent: `▶ ${length}`.trim() }));
      tile.setAttribute("aria-label", t("movie.tile", { n: number, time, length }));
      look.setAttribute("aria-label", t("view.open", { label: tile.ariaLabel }));
      // Who made it left no small picture in it: its first one is shown, if the browser plays it.
      const image = tile.firstElementChild;
      image.onerror = () => image.replaceWith(make("video", {
        src: `${original(photo.id)}#t=0.001`, preload: "metadata", muted: true, playsInline: true, tabIndex: -1 }));
    }
    return make("div", { className: "cell" }, tile, look);
  }

  #mark(state) {
    if (!state || !this.#on) return;
    const chosen = state.selection ?? [], limit = state.selectionLimit;
    for (const tile of all(".tile", this.#grid)) {
      const place = chosen.indexOf(tile.dataset.item);
      const pressed = String(place >= 0);
      if (!this.#open && tile.getAttribute("aria-pressed") !== pressed) tile.setAttribute("aria-pressed", pressed);
      write(tile.lastElementChild, place < 0 ? "" : limit === 1 ? "✓" : String(place + 1));
    }
    const many = limit !== 1;
    this.#viewer.mark(chosen);
    $("library-use").hidden = this.#open;
    write($("library-cancel"), t(this.#open ? "close" : "cancel"));
    write($("library-title"), t(this.#open ? "photos" : many ? "library.several" : "library.one"));
    write($("library-count"), !many ? "" : limit > 0 ? t("library.of", { n: chosen.length, limit })
      : t("library.chosen", { n: chosen.length }));
    write($("library-use-name"), many && chosen.length ? t("library.use", { n: chosen.length }) : t("review.use"));
    $("library-use").setAttribute("aria-disabled", String(chosen.length === 0));
    const last = all(".tile", this.#grid).find((tile) => tile.dataset.item === chosen.at(-1));
    $("library-edit").hidden = !(state.allowsEditing && chosen.length > 0 && last?.dataset.kind !== "movie");
  }

  #toggle(item) {
    const command = this.#station.state?.selection?.includes(item) ? "deselect" : "select";
    this.#station.send(command, { item }).catch(() => {});
  }

  #walk(event) {
    const tiles = all(".tile", this.#grid);
    const at = tiles.indexOf(document.activeElement);
    if (at < 0) return;
    const row = (tile) => tile.getBoundingClientRect().top;
    const columns = tiles.filter((tile) => row(tile) === row(tiles[0])).length;
    const steps = {
      ArrowRight: 1, ArrowLeft: -1, ArrowDown: columns, ArrowUp: -columns, Home: -at, End: tiles.length - 1 - at,
    };
    if (!(event.key in steps)) return;
    event.preventDefault();
    const to = tiles[Math.max(0, Math.min(tiles.length - 1, at + steps[event.key]))];
    to.focus();
    to.scrollIntoView({ block: "nearest" });
  }
}

"""##),
    PageLiteral(
      name: "light.css", tag: "\"0356c95432023bb5\"",
      text: #"""
/* The countdown: everything leads the eye to the lens. Its side of the screen is kept free for the
   arrow, the words and the number; the picture and the controls share the rest. */
.fill { position: absolute; inset: 0; background: #fff; opacity: 0; }
.lens { position: absolute; inset: 0; pointer-events: none; color: var(--text); font-weight: 700; line-height: 1; --unit: 13cqh; --edge: calc(var(--gap) * .5); }
.lens > * { position: absolute; white-space: nowrap; }
.lens svg { width: var(--unit); height: var(--unit); color: var(--accent); stroke-width: 3; animation: nudge .5s ease-in-out infinite alternate; --dx: 0; --dy: -.4rem; }
.lens b { width: 1.2em; text-align: center; font-size: var(--unit); font-variant-numeric: tabular-nums; }
.lens.over :is(svg, b) { visibility: hidden; }
@keyframes nudge { to { transform: translate(var(--dx), var(--dy)); } }
/* While the screen lights the face, what is written on it is dark. */
.lit :is(.lens, .lens svg) { color: #101317; }
:is(.countdown, .capturing).panel .choice { background: var(--raised); }
.capturing.panel::after { content: ""; height: max(3.2rem, 52px); }

[data-lens=bottom] .lens svg { rotate: 180deg; --dy: -.4rem; }
[data-lens=left] .lens svg { rotate: -90deg; }
[data-lens=right] .lens svg { rotate: 90deg; }

@container app (min-aspect-ratio: 1/1) {
  .lens { --half: calc(50cqw - var(--unit) / 2 - 1.5 * var(--gap)); --beside: calc(100cqw - var(--wide) - 3 * var(--gap)); }
  /* Above or below: one line, the words on one side of the arrow and the number's way on the other. */
  body:is([data-lens=top], [data-lens=bottom]) .lens {
    svg { left: calc(50cqw - var(--unit) / 2); }
    span { font-size: min(var(--unit), var(--half) / var(--ems, 5.4)); height: var(--unit); line-height: var(--unit); right: calc(50cqw + var(--unit) / 2 + var(--gap)); }
    b { left: calc(50cqw + var(--unit) / 2); --x: calc(50cqw - 1.7 * var(--unit) - var(--gap)); }
  }
  [data-lens=top] .lens > * { top: var(--edge); }
  [data-lens=bottom] .lens > * { bottom: var(--edge); }
  body:is([data-screen=countdown], [data-screen=capturing]):is([data-lens=top], [data-lens=bottom]) .picture { width: min(56cqw, (85cqh - 2 * var(--gap)) * var(--ratio, .75), 100cqw - 11rem - 3 * var(--gap)); }
  body:is([data-screen=countdown], [data-screen=capturing])[data-lens=top] .app > :is(.picture, .panel) { top: calc(15cqh + var(--gap) * .5); }
  body:is([data-screen=countdown], [data-screen=capturing])[data-lens=bottom] .app > :is(.picture, .panel) { bottom: calc(15cqh + var(--gap) * .5); }
  /* At a side: the column there is the lens's, and the picture is at the other side. */
  body:is([data-lens=left], [data-lens=right]) .lens {
    svg { top: calc(50cqh - var(--unit) / 2); }
    b { top: calc(50cqh - var(--unit) / 2); }
    span { bottom: calc(50cqh + var(--unit) * .6); width: var(--beside); text-align: center; font-size: min(var(--unit), var(--beside) / var(--ems, 5.4)); }
  }
  body[data-lens=left] .lens { svg { left: var(--edge); } span { left: var(--gap); } b { left: calc(var(--unit) + var(--edge)); --x: calc(var(--beside) - 2.2 * var(--unit)); } }
  body[data-lens=right] .lens { svg { right: var(--edge); } span { right: var(--gap); } b { right: calc(var(--unit) + var(--edge)); --x: calc(2.2 * var(--unit) - var(--beside)); } }
  body:is([data-screen=countdown], [data-screen=capturing])[data-lens=left] { .picture { left: auto; right: var(--gap); } .panel { right: auto; left: var(--gap); } }
  body:is([data-lens=left], [data-lens=right]) :is(.countdown, .capturing).panel { justify-content: flex-end; }
}
/* Where there is room on both sides of it, the picture is in the middle. */
@container app (min-aspect-ratio: 8/5) and (min-width: 1000px) {
  body:is([data-screen=countdown], [data-screen=capturing]):is([data-lens=top], [data-lens=bottom]) {
    .picture { inset-inline: calc(11rem + 2 * var(--gap)); width: auto; }
    .panel { justify-content: flex-end; width: max(11rem, (100cqw - (100cqh - 2 * var(--gap)) * var(--ratio, .75)) / 2 - 2 * var(--gap)); }
  }
}

@container app (max-aspect-ratio: 999/1000) {
  .lens { --unit: min(13cqh, 26cqw); --words: min(13cqh, (100cqw - 2 * var(--gap)) / var(--ems, 5.4)); }
  .lens span { font-size: var(--words); left: 0; right: 0; text-align: center; }
  body:is([data-screen=countdown], [data-screen=capturing]) {
    .panel { height: auto; }
    .picture { bottom: calc(max(3.2rem, 52px) + 2 * var(--gap)); --taken: calc(min(13cqh, 26cqw) + min(13cqh, (100cqw - 2 * var(--gap)) / var(--ems, 5.4)) + 1.5 * var(--gap)); }
  }
  body:is([data-lens=top], [data-lens=bottom]) .lens {
    svg { left: calc(50cqw - var(--unit) / 2); }
    b { left: calc(50cqw + var(--unit) / 2); --x: calc(50cqw - 1.7 * var(--unit) - var(--edge)); }
  }
  [data-lens=top] .lens { :is(svg, b) { top: var(--edge); } span { top: calc(var(--unit) + var(--gap)); } }
  [data-lens=bottom] .lens { :is(svg, b) { bottom: var(--edge); } span { bottom: calc(var(--unit) + var(--gap)); } }
  body:is([data-screen=countdown], [data-screen=capturing]) {
    &[data-lens=top] .picture { top: var(--taken); }
    &[data-lens=bottom] .picture { bottom: calc(max(3.2rem, 52px) + var(--gap) + var(--taken)); }
    &[data-lens=bottom] .panel { bottom: calc(min(13cqh, 26cqw) + min(13cqh, (100cqw - 2 * var(--gap)) / var(--ems, 5.4)) + 1.5 * var(--gap)); }
    &:is([data-lens=left], [data-lens=right]) .picture { top: calc(min(13cqh, (100cqw - 2 * var(--gap)) / var(--ems, 5.4)) + 1.5 * var(--gap)); }
    &[data-lens=left] .picture { left: calc(min(13cqh, 20cqw) + var(--gap)); }
    &[data-lens=right] .picture { right: calc(min(13cqh, 20cqw) + var(--gap)); }
  }
  body:is([data-lens=left], [data-lens=right]) .lens {
    --unit: min(13cqh, 20cqw);
    span { top: var(--edge); }
    svg { top: calc(50cqh - var(--unit) / 2); }
    b { bottom: calc(50cqh + var(--unit) / 2); width: var(--unit); font-size: calc(var(--unit) * .8); --y: calc(var(--words) + var(--unit) * 1.4 + var(--gap) - 50cqh); }
  }
  [data-lens=left] .lens :is(svg, b) { left: var(--edge); }
  [data-lens=right] .lens :is(svg, b) { right: var(--edge); }
}

/* The booth's panel: a plate with its buttons. */
.map { display: inline-grid; grid-auto-columns: 1em; grid-auto-rows: 1em; gap: .2em; padding: .35em .4em; font-size: .68em; border-radius: .8em; background: #07090c; box-shadow: 0 0 0 1px var(--line); vertical-align: middle; }
.map.large { grid-auto-columns: 2em; grid-auto-rows: 2em; gap: .45em; padding: .5em .6em; border-radius: 1.2em; font-size: max(16px, .95em); }
/* Where two choices share a line, each has the disc of its button alone. */
@container app (max-aspect-ratio: 999/1000) and (max-width: 700px) {
  .pair .map { padding: 0; background: none; box-shadow: none; font-size: .9em; }
  .pair .disc { grid-area: auto !important; }
  .pair .disc:not(.on) { display: none; }
}
@container app (max-height: 420px) { .map.large { grid-auto-columns: 1.6em; grid-auto-rows: 1.6em; gap: .3em; } }
.disc { display: grid; place-items: center; border-radius: 50%; background: var(--c); color: #0b0d10; opacity: .28; transform: scale(.8); }
.disc.on { opacity: 1; transform: none; }
.disc.on[data-lamp]:not(.lit) { opacity: .5; }
.disc.lit { opacity: 1; box-shadow: 0 0 .5em .1em var(--c); }
.disc svg { width: 1.3em; height: 1.3em; stroke-width: 2.6; }
[data-colour=red] { --c: #f0444a; } [data-colour=orange] { --c: #ff8c1a; } [data-colour=yellow] { --c: #ffd60a; }
[data-colour=green] { --c: #2fd05c; } [data-colour=blue] { --c: #5b9dff; } [data-colour=white] { --c: #f4f2ee; }
[data-colour=black] { --c: #23272e; color: #fff; box-shadow: inset 0 0 0 .1em #8a929d; }

"""#),
    PageLiteral(
      name: "light.js", tag: "\"01ce1168ca7396b6\"",
      text: #"""
// The countdown leads the eye to the lens, and lights the face at its end.
import { $, isCalm, write } from "./dom.js";
import { t } from "./text.js";

/** For how long before the exposure the screen lights the face. */
const LIGHT = 400;

let exposure = null;
let timer = null;

/** Points at the lens until the exposure at `end`, by performance.now(). */
export function pose({ lens = "top", fillLight = true } = {}, end) {
  document.body.dataset.lens = lens;
  $("lens").classList.remove("over");
  $("lens").hidden = false;
  // The same moment, told again.
  if (exposure !== null && Math.abs(end - exposure) < 250) return;
  exposure = end;
  dark();
  if (!fillLight) return;
  timer = setTimeout(() => {
    $("app").classList.add("lit");
    $("fill").animate([{ opacity: 0 }, { opacity: 1 }], { duration: isCalm() ? 250 : 50, fill: "forwards" });
  }, Math.max(0, end - performance.now() - LIGHT));
}

/** Says that it is done, where the guest looks. */
export function over({ lens = "top" } = {}, words) {
  document.body.dataset.lens = lens;
  leave();
  write($("look"), words);
  $("lens").classList.add("over");
  $("lens").hidden = false;
}

/** Ends it. */
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

/** Lets a number shrink and travel to the lens within its second. */
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

/** Sizes the words by the longest of them in the guest's language. */
export function fit() {
  const context = document.createElement("canvas").getContext("2d");
  context.font = `700 100px ${getComputedStyle(document.body).fontFamily}`;
  const widths = ["countdown.look", "countdown.smile", "capturing"].map((key) => context.measureText(t(key)).width);
  $("app").style.setProperty("--ems", (Math.max(...widths) / 100 + 0.05).toFixed(2));
}

"""#),
    PageLiteral(
      name: "main.js", tag: "\"9133f7a745039e35\"",
      text: #"""
// Puts the page together.
import { guard, rest } from "./arming.js";
import { $, write } from "./dom.js";
import { Input } from "./input.js";
import { Library } from "./library.js";
import { Operator } from "./operator.js";
import { Preview } from "./preview.js";
import { guestSentence, Screens } from "./screens.js";
import { Slides } from "./slides.js";
import { Station } from "./station.js";
import { language, languages, resolve, t, use } from "./text.js";

const FORGET = 90000;

guard();
const station = new Station();
const preview = new Preview($("preview"), $("age"));
const slides = new Slides();
const library = new Library(station, () => screens.update());
/** The crop box, which few sessions have: its file comes with the first of them. */
const editor = { isOpenFor: () => false, show() {}, openReview() {}, back() {} };
let cropping = null;

function settleEditor({ allowsEditing }) {
  if (allowsEditing) {
    cropping ??= import("./editor.js").then(({ Editor }) => {
      const real = new Editor(station, () => screens.update());
      for (const name of Object.keys(editor)) editor[name] = (...given) => real[name](...given);
      // One more button moves the others.
      screens.update(true);
      rest();
    }).catch(() => (cropping = null));
  }
}

const screens = new Screens(station, { preview, slides, library, editor });
const operator = new Operator(station);
new Input(station, { screens, editor, library, operator });

const fixed = new URLSearchParams(location.search).get("language");
let chosen = null;
let wanted = null;
let version = null;

/** The guest's choice, else the address's, else the configuration's, else the browser's. */
async function settleLanguage() {
  const code = resolve(chosen ?? fixed ?? station.state?.settings?.language);
  if (code === wanted) return;
  wanted = code;
  if (!(await use(code))) wanted = null;
  write($("language-name"), languages[language()]);
  screens.update(true);
}

/** A new version of the station brings a new page; it is taken while nobody is there. */
function settleVersion({ version: running, state }) {
  version ??= running;
  if (running !== version && state === "idle" && sessionStorage.getItem("version") !== running) {
    sessionStorage.setItem("version", running);
    location.reload();
  }
}

let forget = null;
addEventListener("language", ({ detail }) => {
  chosen = detail;
  settleLanguage();
});

station.addEventListener("change", () => {
  settleLanguage();
  screens.update();
  if (!station.state) return;
  settleVersion(station.state);
  settleEditor(station.state);
  // The next guest is not to inherit the language of the one before.
  if (station.state.state !== "idle" && $("languages").open) $("languages").close();
  clearTimeout(forget);
  forget = setTimeout(() => {
    if (station.state?.state !== "idle") return;
    chosen = null;
    settleLanguage();
  }, FORGET);
});

station.addEventListener("notice", ({ detail }) => {
  if (detail.kind === "saveIsSlow") return;
  screens.toast(guestSentence(detail));
});

// While the station has never answered nothing changes by itself; "starting" is shown after a second.
setTimeout(() => screens.update(), 1100);
await settleLanguage();
station.start(() => screens.name);
document.documentElement.dataset.ready = "yes";

"""#),
    PageLiteral(
      name: "modes.js", tag: "\"e7f65ad4151997d0\"",
      text: #"""
// What a guest can take: a photo, a movie, or both.
import { $ } from "./dom.js";

/** Shows the buttons for what can be taken now; true if that is another choice than before. */
export function modes(state) {
  const live = state.state === "live";
  // Before a session the station's abilities count, in it what it is for.
  const photo = !live || (state.captureMode ?? "photo") === "photo";
  const movie = (state.settings?.modes ?? []).includes("movie")
    && (!live || (state.media ?? []).includes("movie"));
  if ($("take").hidden === !photo && $("record").hidden === !movie) return false;
  $("take").hidden = !photo;
  $("record").hidden = !movie;
  $("record").parentElement.classList.toggle("both", photo && movie);
  return true;
}

"""#),
    PageLiteral(
      name: "operator.js", tag: "\"1ce66c92329f9729\"",
      text: #"""
// The operator's view, behind a long press and the PIN. Guests never see it, so that its file and
// its words are loaded when it is opened.
import { $, make } from "./dom.js";
import { t } from "./text.js";

/** The box of one thing that is right or wrong. */
export function check({ name, ok, detail, fix }) {
  const box = make("div", { className: ok ? "check" : "check bad" }, make("b", { textContent: `${ok ? "✓" : "!"} ${name}` }));
  if (detail) box.append(make("p", { textContent: detail }));
  if (fix) box.append(make("p", { className: "fix", textContent: fix }));
  return box;
}

/** What is said while the station does not answer. */
export const silence = () => check({
  name: t("operator.title"), ok: false, detail: t("operator.silent", { url: location.origin }),
  fix: "systemctl status retake; journalctl -u retake -n 50",
});

export class Operator {
  #station;
  #view = null;

  constructor(station) {
    this.#station = station;
  }

  async open() {
    if ($("operator").open) return;
    try {
      this.#view ??= new (await import("./staff.js")).Staff(this.#station);
      await this.#view.open();
    } catch {
      // The file does not come either.
      this.#view = null;
      $("pin").hidden = true;
      $("operator-view").hidden = false;
      $("operator-view").replaceChildren(silence());
      if (!$("operator").open) $("operator").showModal();
    }
  }
}

"""#),
    PageLiteral(
      name: "player.js", tag: "\"f6a5c1c5aa5e0de7\"",
      text: #"""
// Plays a movie in a loop: by the browser, else picture by picture.

export class Player {
  #video; #canvas;
  #pictures = null;
  /** Ends the wait for a movie that is no longer wanted. */
  #drop = null;
  #source = null;

  constructor(video, canvas) {
    this.#video = video;
    this.#canvas = canvas;
  }

  /** Plays the movie at an address; false if nothing here can, or another one is wanted meanwhile. */
  async play(source) {
    this.stop();
    this.#source = source;
    if (await this.#film(source)) return true;
    // Few stations record such movies: what plays them is loaded when one comes.
    const { PictureMovie } = await import("./frames.js").catch(() => ({}));
    const pictures = this.#source === source && await PictureMovie?.open(source, this.#canvas);
    if (!pictures || this.#source !== source) return false;
    this.#pictures = pictures;
    this.#video.hidden = true;
    this.#canvas.hidden = false;
    pictures.play();
    return true;
  }

  /** Stays at the picture that is shown. */
  pause() {
    this.#video.pause();
    this.#pictures?.stop();
  }

  /** Ends it, and lets go of what the browser has of it. */
  stop() {
    this.#source = null;
    this.#drop?.();
    this.#pictures?.stop();
    this.#pictures = null;
    this.#video.hidden = this.#canvas.hidden = true;
    if (!this.#video.hasAttribute("src")) return;
    this.#video.removeAttribute("src");
    this.#video.load();
  }

  #film(source) {
    const video = this.#video;
    video.hidden = false;
    return new Promise((resolve) => {
      video.onloadeddata = () => resolve(true);
      video.onerror = () => resolve(false);
      this.#drop = () => resolve(false);
      video.src = source;
      // A browser that lets nothing play by itself shows the first picture.
      video.play().catch(() => {});
    });
  }
}

"""#),
    PageLiteral(
      name: "preview.js", tag: "\"864a6b97c1651eea\"",
      text: #"""
// The live picture: one frame a request, one request at a time, drawn and released at once. An <img>
// fed with an endless stream grows until the browser is killed; this does not.
import { sleep, write } from "./dom.js";
import { t } from "./text.js";

const DEADLINE = 4000;
const OLD = 1500;

export class Preview {
  #canvas; #context; #badge;
  #shape = null;
  #after = -1;
  #running = null;
  #wanted = false;
  #born = 0;

  constructor(canvas, badge) {
    this.#canvas = canvas;
    this.#badge = badge;
    this.#context = canvas.getContext("2d", { alpha: false, desynchronized: true });
    document.addEventListener("visibilitychange", () => this.#settle());
    setInterval(() => this.#tellAge(), 500);
  }

  /** How the frame is cut, turned and mirrored to what will be saved (the mirror apart). */
  shape(preview, instance) {
    const key = JSON.stringify([preview, instance]);
    if (this.#shape?.key === key) return;
    if (this.#shape?.instance !== instance) this.#after = -1;
    this.#shape = { ...preview, key, instance };
  }

  /** Begins or ends asking for frames. */
  show(wanted) {
    if (wanted === this.#wanted) return;
    this.#wanted = wanted;
    this.#born = performance.now();
    this.#settle();
  }

  #settle() {
    const on = this.#wanted && document.visibilityState === "visible";
    if (on && !this.#running) {
      const running = (this.#running = new AbortController());
      this.#run(running.signal);
    } else if (!on && this.#running) {
      this.#running.abort();
      this.#running = null;
    }
  }

  async #run(stopped) {
    while (!stopped.aborted) {
      const began = performance.now();
      let drawn = false;
      try {
        drawn = await this.#next(stopped);
      } catch {
        await sleep(400, stopped);
      }
      // A station without frames answers at once or after its wait; never ask it in a tight loop.
      if (!drawn) await sleep(Math.max(0, 150 - (performance.now() - began)), stopped);
    }
  }

  async #next(stopped) {
    // One controller a frame: signals that depend on a long-lived one would pile up for hours.
    const frame = new AbortController();
    const end = () => frame.abort();
    const timer = setTimeout(end, DEADLINE);
    stopped.addEventListener("abort", end);
    try {
      return await this.#fetch(frame.signal, stopped);
    } finally {
      clearTimeout(timer);
      stopped.removeEventListener("abort", end);
    }
  }

  async #fetch(signal, stopped) {
    const query = this.#after >= 0 ? `?after=${this.#after}` : "";
    const answer = await fetch(`/api/v1/preview${query}`, { signal, cache: "no-store" });
    if (answer.status !== 200) {
      await answer.body?.cancel();
      if (answer.status !== 204) throw new Error(`preview: ${answer.status}`);
      return false;
    }
    const bitmap = await createImageBitmap(await answer.blob());
    try {
      if (stopped.aborted) return false;
      this.#after = Number(answer.headers.get("X-Retake-Frame") ?? -1);
      this.#born = performance.now() - Number(answer.headers.get("X-Retake-Age-Ms") ?? 0);
      this.#draw(bitmap);
    } finally {
      bitmap.close();
    }
    return true;
  }

  #draw(bitmap) {
    const { turns = 0, mirrored = false, crop, frame } = this.#shape ?? {};
    // A raw camera's preview is smaller than its frames: the crop is scaled along.
    const scale = frame?.width ? bitmap.width / frame.width : 1;
    const cut = crop
      ? { x: crop.x * scale, y: crop.y * scale, width: crop.width * scale, height: crop.height * scale }
      : { x: 0, y: 0, width: bitmap.width, height: bitmap.height };
    const lying = turns % 2 === 1;
    const natural = lying ? cut.height : cut.width;
    const shown = Math.min(1, (this.#canvas.clientWidth * devicePixelRatio || natural) / natural);
    const width = Math.max(1, Math.round(natural * shown));
    const height = Math.max(1, Math.round((lying ? cut.width : cut.height) * shown));
    if (this.#canvas.width !== width || this.#canvas.height !== height) {
      this.#canvas.width = width;
      this.#canvas.height = height;
    }
    const context = this.#context;
    context.setTransform(mirrored ? -1 : 1, 0, 0, 1, width / 2, height / 2);
    context.rotate((turns * Math.PI) / 2);
    const across = lying ? height : width, down = lying ? width : height;
    context.drawImage(bitmap, cut.x, cut.y, cut.width, cut.height, -across / 2, -down / 2, across, down);
    this.#canvas.dataset.first ??= String(Math.round(performance.now()));
    this.#canvas.dataset.frame = String(this.#after);
  }

  #tellAge() {
    const age = performance.now() - this.#born;
    const old = this.#running !== null && age > OLD;
    this.#badge.hidden = !old;
    if (old) write(this.#badge, t("age", { n: Math.round(age / 1000) }));
  }
}

"""#),
    PageLiteral(
      name: "screens.css", tag: "\"6f1a7a9dc4338e4f\"",
      text: #"""
/* The booth's screens: a picture, and a panel beside or below it. */
.app {
  position: absolute; inset: 0; overflow: hidden; background: var(--ground);
  container: app / size;
}
.app > .panel, .app > .page, .picture { display: none; }
body:is([data-screen=attract], [data-screen=countdown], [data-screen=recording], [data-screen=capturing], [data-screen=review],
[data-screen=saving], [data-screen=saved], [data-screen=cancelled]) .picture { display: grid; }
.app > .shown { display: flex; }

.picture { position: absolute; place-items: center; container-type: size; }
.frame {
  position: relative; overflow: hidden; border-radius: var(--round); background: #000;
  aspect-ratio: var(--ratio, .75);
  width: min(100cqw, 100cqh * var(--ratio, .75));
}
.frame > canvas, .still, .still :is(img, video, canvas) { position: absolute; inset: 0; width: 100%; height: 100%; }
.frame > canvas { display: block; }
.still { background: #000; overflow: hidden; }
.still :is(img, video, canvas) { object-fit: contain; }
.still p { position: absolute; inset: auto 0 0; padding: 1em; color: var(--text); text-align: center; }
.still.edited img { inset: auto; object-fit: fill; max-width: none; }

.panel { position: absolute; flex-direction: column; gap: var(--gap); justify-content: safe center; }
.panel .words { display: grid; gap: .5em; }
.panel p { color: var(--soft); }
.panel:has(> .foot, > .corner:last-child) > :is(h1, .words) { margin-top: auto; }
/* What throws something away lies in the last row, where no screen has a button that goes on. */
.foot { display: flex; flex-wrap: wrap; justify-content: flex-end; gap: .6rem; }
.pair { display: grid; grid-template-columns: minmax(0, 1fr); justify-content: stretch; }
:is(.pair, .corner) kbd + kbd { display: none; }
.panel > :is(.foot, .corner) { margin-top: auto; }
.panel .corner { width: auto; margin-inline: auto 0; align-self: flex-end; }
.panel .corner:first-child { position: absolute; top: 0; right: 0; margin: 0; }
.panel > * { flex-shrink: 0; }
body:not([data-state=idle]) .idle { display: none; }

/* Landscape: the picture as high as the display, the panel to its right, both in the middle. */
@container app (min-aspect-ratio: 1/1) {
  .app > * { --wide: min(56cqw, (100cqh - 2 * var(--gap)) * var(--ratio, .75), 100cqw - 11rem - 3 * var(--gap)); }
  .picture { inset: var(--gap) auto var(--gap) var(--gap); width: var(--wide); }
  .panel { inset: var(--gap) var(--gap) var(--gap) auto; width: calc(100cqw - 4 * var(--gap) - var(--wide)); }
  .panel > .foot:not(.pair) { width: 100%; }
  .panel > * { width: min(100%, 26rem); margin-inline: auto; }
}
/* Portrait: the panel takes what it needs, the picture the rest. main.js measures the panel. */
@container app (max-aspect-ratio: 999/1000) {
  .picture { inset: var(--gap) var(--gap) calc(var(--panel, 30cqh) + 2 * var(--gap)) var(--gap); }
  .panel { inset: auto var(--gap) var(--gap) var(--gap); height: var(--panel, 30cqh); text-align: center; align-items: center; }
  .panel > * { width: min(100%, 34rem); }
  .panel > .foot:not(.pair) { width: 100%; }
  .attract .foot { justify-content: center; }
  .pair { grid-template-columns: repeat(2, minmax(0, 1fr)); }
  .pair .choice { padding-inline: .45em; gap: .4em; }
  .corner { max-width: 48%; }
  .panel .corner:first-child { top: auto; bottom: 0; }
  .panel:has(> .corner:first-child:not([hidden])) { padding-bottom: 4.4rem; }
  .panel .keys { justify-content: center; }
  .choice .keys { justify-content: flex-end; }
}

/* Attract */
.attract .actions { display: grid; gap: calc(var(--gap) * .7); justify-items: start; }
.shutter { display: flex; align-items: center; gap: 1em; font-size: 1.3em; font-weight: 650; text-align: left; border-radius: 9rem; padding-right: 1em; transition: transform .12s var(--calm); }
.shutter:active { transform: scale(.97); }
.shutter .ring { position: relative; display: grid; place-items: center; flex: none; width: 4.2em; height: 4.2em; border-radius: 50%; background: var(--accent); color: var(--on-accent); font-size: .85em; }
.shutter .ring::before { content: ""; position: absolute; inset: -.35em; border-radius: 50%; border: .14em solid var(--accent); opacity: .55; animation: breathe 3s ease-in-out infinite; }
.shutter svg { width: 1.9em; height: 1.9em; stroke-width: 1.7; }
@keyframes breathe { 50% { transform: scale(1.07); opacity: .15; } }
.slides { position: relative; flex: 0 1 40cqh; min-height: 0; pointer-events: none; container-type: size; }
@container (max-height: 6rem) { .slides img { display: none; } }
.slides img { position: absolute; left: 0; top: 4%; height: 92%; max-width: 92%; object-fit: cover; background: #fff; padding: .45rem .45rem 1.4rem; border-radius: .3rem; opacity: 0; transform: rotate(-2.5deg) scale(.97); transition: opacity 1.2s, transform 1.6s var(--calm); }
.slides img.on { opacity: 1; transform: rotate(-1.5deg); }
.slides img.on:last-child { transform: rotate(2deg); }
.modes { display: flex; flex-wrap: wrap; gap: calc(var(--gap) * .7) calc(var(--gap) * 1.2); }
.record .ring { background: #fff; }
.record .ring::before { border-color: #fff; animation: none; }
.dot { display: block; width: 1.9em; height: 1.9em; border-radius: 50%; background: #d7263d; }

/* Recording: two halves of a ring that turn out from behind each other. */
.stop .ring { background: var(--raised); color: var(--text); }
.stop .ring::before { border-color: var(--line); border-width: .3em; opacity: 1; animation: none; }
.half { position: absolute; inset: -.35em; clip-path: inset(0 0 0 50%); }
.half > i { position: absolute; inset: 0; border-radius: 50%; border: .3em solid #ff5a6e; clip-path: inset(0 50% 0 0); }
.half + .half { clip-path: inset(0 50% 0 0); }
.half + .half > i { clip-path: inset(0 0 0 50%); }
.elapsed { font-size: 1.5em; font-weight: 650; font-variant-numeric: tabular-nums; }
.tape { position: absolute; left: .6rem; top: .6rem; display: flex; align-items: center; gap: .5em; padding: .25em .8em; border-radius: 2em; background: #000c; color: #fff; font-size: max(16px, .95em); font-variant-numeric: tabular-nums; }
.tape .dot { width: .8em; height: .8em; animation: pulse 1s ease-in-out infinite alternate; }

@container app (max-aspect-ratio: 999/1000) {
  .attract .actions { justify-items: center; }
  .modes { justify-content: center; }
  .slides { display: none; }
}
/* Two of them stand side by side, each with its words below. */
.modes.both { flex-wrap: nowrap; column-gap: calc(var(--gap) * 2); }
.modes.both .shutter { flex: 0 1 auto; flex-direction: column; gap: .8em; padding: .4em 0 0; border-radius: var(--round); min-width: 6em; max-width: 12em; font-size: 1.1em; text-align: center; }

/* A display, a language or a headline that leaves too little room: main.js takes one step after the other. */
[data-fit~="1"] { --gap: .5rem; }
[data-fit~="1"] :is(.panel, .notice) h1 { font-size: 1.5em; }
[data-fit~="1"] .slides { display: none; }
[data-fit~="1"] .shutter { font-size: 1.1em; gap: .8em; padding-right: 0; }
[data-fit~="1"] .shutter .ring { width: 3.6em; height: 3.6em; }
[data-fit~="1"] .choices .choice, [data-fit~="1"] .review .accept { min-height: 48px; font-size: 1.05em; padding-inline: .7em; }
[data-fit~="1"] .keys kbd + kbd { display: none; }
[data-fit~="2"] :is(.panel, .notice) { gap: .35rem; }
[data-fit~="2"] :is(.panel, .notice) h1 { font-size: 1.2em; }
[data-fit~="2"] :is(.attract .words p, .notice .sign) { display: none; }
[data-fit~="2"] :is(.panel, .notice) .choice { min-height: 44px; gap: .5em; padding: .1em .6em; font-size: 1em; line-height: 1.15; }
[data-fit~="2"] .pill { min-height: 44px; padding-inline: .7em; }
[data-fit~="2"] .choice:not(.accept) .keys { display: none; }
[data-fit~="2"] .modes.both .shutter { font-size: 1em; gap: .5em; }
[data-fit~="2"] .timer { line-height: 1.2; }
[data-fit~="3"] :is(.panel, .notice) h1 { font-size: 1em; }
[data-fit~="3"] .shutter { font-size: 1em; }
[data-fit~="3"] .shutter .ring { width: 3em; height: 3em; }
[data-fit~="3"] :is(.hint, .choice .keys, .panel .choice svg, .panel .pill svg, .timer .more) { display: none; }
[data-fit~="3"] .modes.both { column-gap: .5rem; }
[data-fit~="3"] .modes.both .shutter { min-width: 0; }
[data-fit~="3"] .foot { flex-wrap: nowrap; }
[data-fit~="3"] .pill { padding-inline: .45em; }
[data-fit~="3"] .elapsed { font-size: 1em; }
[data-fit~="4"] :is(.panel, .notice) { gap: .2rem; }
[data-fit~="4"] :is(.review h1, .timer p) { display: none; }
[data-fit~="4"] .modes.both { flex-wrap: wrap; }
[data-fit~="4"] h1 { display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 3; overflow: hidden; }

.flash { position: fixed; inset: 0; z-index: 20; background: #fff; opacity: 0; pointer-events: none; }
.busy { position: absolute; inset: 0; display: grid; place-items: center; background: #0006; }
.dots { display: flex; gap: .7rem; }
.dots i { width: 1rem; height: 1rem; border-radius: 50%; background: #fff; animation: pulse 1s ease-in-out infinite alternate; }
.dots i:nth-child(2) { animation-delay: .2s; }
.dots i:nth-child(3) { animation-delay: .4s; }
@keyframes pulse { from { opacity: .25; transform: scale(.75); } }

.age { position: absolute; left: .6rem; top: .6rem; padding: .25em .8em; border-radius: 2em; background: #000c; color: #fff; font-size: max(16px, .85em); }

/* Review */
.choices { display: grid; gap: calc(var(--gap) * .6); }
.choices .choice { min-height: max(3.6rem, 52px); }
.review .accept { min-height: max(4.4rem, 56px); font-size: 1.25em; }
.timer { display: flex; flex-wrap: wrap; gap: .4em .8em; align-items: baseline; text-align: left; font-size: max(16px, .9em); }
.timer .bar { flex: 1 0 100%; }
.timer .left { font-weight: 650; font-variant-numeric: tabular-nums; }
@container app (max-width: 900px) { .keys kbd + kbd { display: none; } }
@container app (max-width: 420px) { .corner .keys kbd { display: none; } }
@container app (max-aspect-ratio: 999/1000) and (max-width: 700px) { :is(.pair, .corner) .keys kbd { display: none; } }
body[data-controls=off] .shutter, body[data-controls=off] :is(.saved, .notice) [data-command] { display: none; }
body[data-controls=off] :is(.review, .countdown, .recording) .choice { background: none; color: var(--text); box-shadow: inset 0 0 0 1px var(--line); }
/* Saved */
.seal { position: absolute; right: .7rem; bottom: .7rem; }
.seal svg { display: block; width: clamp(2.8rem, 16cqmin, 8rem); height: auto; aspect-ratio: 1; padding: .6em; border-radius: 50%; background: var(--accent); color: var(--on-accent); stroke-width: 2.6; animation: pop .45s var(--calm); }
@keyframes pop { from { transform: scale(.5); opacity: 0; } }

/* What is wrong */
.notice { position: absolute; inset: 0; padding: calc(var(--gap) * 1.5); flex-direction: column; align-items: center; justify-content: safe center; gap: var(--gap); text-align: center; }
.notice .sign { width: 4.6em; height: 4.6em; stroke-width: 1.4; color: var(--accent); }
.notice h1 { max-width: 24em; }
.notice p { color: var(--soft); max-width: 34em; }
.notice .choice { width: auto; min-width: 12rem; justify-content: center; }
.notice .choice .name { flex: none; }
.retry { width: min(80%, 22rem); display: grid; gap: .6rem; }
.staff { position: relative; overflow: hidden; margin-top: var(--gap); }
.staff .fill { position: absolute; inset: 0; background: var(--accent); opacity: .35; transform: scaleX(0); transform-origin: 0 50%; }
.staff.holding .fill { transform: scaleX(1); transition: transform 1.2s linear; }

/* Dialog forms: over the gallery, as a sheet from below or a popover in the middle. */
.gallery { position: fixed; inset: 0; display: grid; grid-template-columns: repeat(auto-fill, minmax(max(7rem, 14vw), 1fr)); gap: .4rem; padding: .4rem; overflow: hidden; align-content: start; }
.gallery img { width: 100%; aspect-ratio: 3 / 4; object-fit: cover; border-radius: .4rem; }
.gallery::after { content: ""; position: fixed; inset: 0; background: #080a0dcc; }
body[data-presentation=sheet] .app { inset: 6vh 0 0 0; border-radius: 1.6rem 1.6rem 0 0; box-shadow: 0 0 0 1px var(--line), 0 -1rem 4rem #000c; animation: rise .35s var(--calm); }
body[data-presentation=sheet] .app::before { content: ""; position: absolute; z-index: 5; left: 50%; top: .4rem; width: 3rem; height: .3rem; border-radius: 1rem; background: var(--soft); opacity: .7; transform: translateX(-50%); }
body[data-presentation=sheet] { --gap: clamp(.7rem, 2.2vmin, 1.5rem); }
body[data-presentation=popover] .app { inset: 8vh 0; margin: auto; width: min(92vw, 132vh); border-radius: 1.4rem; box-shadow: 0 0 0 1px var(--line), 0 1rem 5rem #000c; animation: grow .3s var(--calm); }
@media (max-height: 420px) { body[data-presentation=popover] .app { inset: 3vh 0; width: 96vw; } body[data-presentation=sheet] .app { inset: 3vh 0 0 0; } }
@keyframes rise { from { transform: translateY(12vh); opacity: 0; } }
@keyframes grow { from { transform: scale(.94); opacity: 0; } }

"""#),
    PageLiteral(
      name: "screens.js", tag: "\"93c0b059e90a006b\"",
      text: ##"""
// Which screen is shown, and what is on it.
import { $, all, clock, isCalm, write } from "./dom.js";
import { has, keys, t } from "./text.js";
import { deadline, glide, runBar, runRing, Seconds } from "./timers.js";
import { modes } from "./modes.js";
import { Player } from "./player.js";
import { gallery, original, thumbnail } from "./slides.js";
import * as discs from "./discs.js";
import * as light from "./light.js";
import { Strip } from "./strip.js";
import * as sounds from "./sounds.js";

const ARMING = 800;
const SCREENS = {
  idle: "attract", live: "attract", countdown: "countdown", recording: "recording", capturing: "capturing",
  reviewing: "review", saving: "saving", browsing: "library", editing: "editor",
  finished: "saved", cancelled: "cancelled", failed: "failed",
};
const SIGNS = { camera: "i-no-camera", storage: "i-full", library: "i-full", fault: "i-wait", connection: "i-wait" };

/** The keys that the page itself takes, see input.js. */
const PAGE_KEYS = { shutter: ["Space"], accept: ["Enter"], retake: ["R"], cancel: ["Escape"] };

/** Whether they are named: to whoever types, and where nothing is wired until someone touches. */
function pageKeys(state) {
  const { input } = document.documentElement.dataset;
  if (input) return input === "keyboard";
  return Object.values(state.controls ?? {}).every((labels) => labels.length === 0);
}

/** What is wrong, if it is what the guest must see now. */
export function troubleNow(station) {
  if (!station.connected) {
    const code = station.met ? "connectionLost" : "starting";
    return { kind: "connection", code, retryAt: station.nextAttempt };
  }
  const { state, trouble, received } = station.state ?? {};
  if (!trouble) return null;
  const matters = trouble.kind === "library" ? ["browsing", "editing"] : ["idle", "live"];
  if (!matters.includes(state)) return null;
  return { ...trouble, retryAt: trouble.retryMs == null ? null : received + trouble.retryMs };
}

/** The sentence for the guest: in their language where the code is known. */
export function guestSentence(reason) {
  const key = `reason.${reason?.code}`;
  if (has(key)) return t(key);
  const kind = `reason.${reason?.kind}`;
  return reason?.guest ?? reason?.message ?? (has(kind) ? t(kind) : t("reason.stationFault"));
}

/** Whether what was saved last is a movie. */
const isMovie = (photo) => photo?.name.endsWith(".mp4") === true;

/** A picture of what was saved last. */
const saved = (photo) => (isMovie(photo) ? thumbnail : original)(photo.id);

export class Screens {
  /** The name of the screen that is shown. */
  name = "waiting";
  /** From when an accept counts here: a double press must not keep a photo that nobody saw. */
  armedAt = Infinity;

  #station; #preview; #slides; #library; #editor;
  #still = null;
  #picked = null;
  #shown = null;
  #began = performance.now();
  #count = new Seconds((seconds) => this.#tick(seconds));
  #left = new Seconds((seconds) => write($("review-end"), t(`review.${this.#atEnd}`, { n: seconds })));
  #atEnd = "cancel";
  #retry = new Seconds((seconds) => write($("retry-text"), seconds ? t("retry.in", { n: seconds }) : t("retry.now")));
  #elapsed = new Seconds((left) => this.#tape(left));
  #length = 0;
  #ringEnd = 0;
  #recorded = false;
  #player = new Player($("still-movie"), $("still-pictures"));
  #barEnd = 0;
  #toast = null;
  #last = "idle";

  constructor(station, { preview, slides, library, editor }) {
    this.#station = station;
    this.#preview = preview;
    this.#slides = slides;
    this.#library = library;
    this.#editor = editor;
    this.strip = new Strip(station);
    new ResizeObserver(() => this.#measure(true)).observe($("app"));
  }

  /** Shows what the station says; `words` true when the language changed. */
  update(words = false) {
    if (words) light.fit();
    const state = this.#station.state;
    const trouble = troubleNow(this.#station);
    const name = this.#choose(state, trouble);
    if (state) this.#common(state, words);
    if (name === "waiting") return;
    const before = $("frame").getBoundingClientRect();
    const changed = name !== this.name;
    if (changed) this.#open(name);
    this.#fill(name, state, trouble, words);
    if (changed || words) this.#measure();
    if (changed) {
      glide($("frame"), before);
      this.#tell(name);
    }
    if (state && this.#station.connected) this.#last = state.state;
  }

  /** A sentence at the foot of the screen for some seconds. */
  toast(sentence) {
    clearTimeout(this.#toast);
    write($("toast"), sentence);
    this.#placeToast();
    $("toast").hidden = false;
    write($("alarm"), sentence);
    if (!isCalm()) $("toast").animate([{ opacity: 0, translate: "0 1rem" }, {}], { duration: 200 });
    this.#toast = setTimeout(() => ($("toast").hidden = true), 4000);
  }

  /** Where no control is: on the picture's foot or the headline. */
  #placeToast() {
    const place = { library: $("library-title").parentElement, editor: $("bench") }[this.name]
      ?? (document.querySelector("#app > .panel.shown") ? $("frame") : $("app"));
    if ($("toast").parentElement !== place) place.append($("toast"));
  }

  #choose(state, trouble) {
    if (trouble) {
      // The first answer takes a moment; nothing is wrong before it is late.
      const early = !this.#station.met && performance.now() - this.#began < 1000;
      return early ? "waiting" : "trouble";
    }
    if (!state) return "waiting";
    if (state.state === "idle" && this.#library.isOpen) return "library";
    if (state.state === "reviewing" && this.#editor.isOpenFor(state)) return "editor";
    return SCREENS[state.state] ?? "attract";
  }

  #open(name) {
    this.name = name;
    document.body.dataset.screen = name;
    for (const section of all("#app > [data-screen]")) {
      section.classList.toggle("shown", section.dataset.screen === name);
    }
    this.#placeToast();
    const section = document.querySelector(`#app > [data-screen=${name}]`);
    if (!document.querySelector("dialog[open]")) {
      const primary = all("[data-primary]", section).find((element) => !element.hidden && !element.disabled);
      (primary ?? section).focus({ preventScroll: true });
    }
    if (isCalm()) return;
    section.animate([{ opacity: 0, translate: "0 .6rem" }, { opacity: 1, translate: "0 0" }],
      { duration: 260, easing: "cubic-bezier(.2,.8,.2,1)" });
  }

  #common(state, words) {
    const body = document.body.dataset;
    const inSession = state.session !== null && this.#station.connected;
    body.presentation = inSession ? state.presentation : "fullScreen";
    body.state = state.state;
    gallery(["sheet", "popover"].includes(body.presentation));
    const app = $("app");
    if (body.presentation === "sheet" || body.presentation === "popover") {
      app.setAttribute("role", "dialog");
      app.setAttribute("aria-modal", "true");
      app.setAttribute("aria-label", t("dialog.label"));
    } else if (app.hasAttribute("role")) {
      for (const name of ["role", "aria-modal", "aria-label"]) app.removeAttribute(name);
    }
    const hands = state.showsCameraControls && state.presentation !== "headless";
    if (body.controls !== (hands ? "on" : "off") || words) {
      body.controls = hands ? "on" : "off";
      for (const button of all("#app [data-command]")) button.disabled = !hands;
    }
    const typed = pageKeys(state);
    const labels = JSON.stringify([state.controls, state.panel, hands, typed]);
    if (labels !== this.#shown?.labels || words) {
      this.#shown = { labels };
      for (const element of all("[data-keys]")) {
        const { keys: action, words: sentence } = element.dataset;
        const map = discs.map(state, action, element.closest("[data-screen]").dataset.screen, Boolean(sentence));
        const wired = map ? [] : state.controls?.[action] ?? [];
        keys(element, [...wired, ...(typed ? PAGE_KEYS[action] : [])],
          map ? "" : sentence === "press" && !hands ? "pressOnly" : sentence, map);
      }
      this.#measure();
    }
    discs.light(state);
    sounds.enable(state.settings?.sounds === true);
    this.#preview.shape(state.preview, state.instance);
    const { crop, turns } = state.preview ?? {};
    if (crop?.width > 0 && crop.height > 0) {
      const ratio = turns % 2 ? crop.height / crop.width : crop.width / crop.height;
      $("app").style.setProperty("--ratio", ratio.toFixed(4));
    }
    if (state.state !== "capturing") this.#recorded = state.state === "recording";
    if (modes(state)) {
      this.#measure();
      // The button that is gone may have had the focus.
      if (document.activeElement?.hidden) document.querySelector("#app > .shown")?.focus();
    }
  }

  #fill(name, state, trouble, words) {
    const live = ["attract", "countdown", "recording", "cancelled"].includes(name);
    this.#preview.show(live && trouble === null);
    this.#slides.show(name === "attract" && state.state === "idle" && state.settings?.slideshow === true);
    if (name !== "countdown") this.#count.stop();
    if (name === "trouble") this.#trouble(trouble);
    else this.#retry.stop();
    this.#picture(name, state);
    this.strip.show(name === "review" ? state : null, words);
    this.#library.show(name === "library" ? state : null, state);
    this.#editor.show(name === "editor" ? state : null);
    this.#timer(name === "review" ? state : null);
    this.#recording(name === "recording" ? state : null);
    const movie = this.#still?.movie === true;
    if (name === "review") write($("review-use"), t(movie ? "movie.use" : "review.use"));
    if (name === "capturing") write($("capturing-title"), t(this.#recorded ? "saving.library" : "capturing"));
    $("capturing-title").className = this.#recorded ? "" : "unseen";
    $("saving-cancel").hidden = state?.source === "camera";
    if (name === "attract") this.#attract(state);
    if (name === "countdown") {
      light.pose(state.settings, deadline(state));
      this.#count.start(deadline(state));
    } else if (name === "capturing" && !this.#recorded) {
      light.over(state.settings, t("capturing"));
    } else {
      light.leave();
    }
    if (name === "capturing" && this.#last !== "capturing" && !this.#recorded) this.#flash();
    if (name === "saving") {
      write($("saving-title"), t(state.source !== "camera" ? "saving.library" : movie ? "movie.saving" : "saving.title"));
      write($("saving-slow"), t(movie ? "movie.slow" : "saving.slow"));
      if ($("saving-slow").hidden === state.slow) {
        $("saving-slow").hidden = !state.slow;
        if (state.slow) write($("announcer"), $("saving-slow").textContent);
        this.#measure();
      }
    }
    if (name === "saved") {
      const camera = state.source === "camera";
      write($("saved-title"), t(!camera ? "saved.library" : movie || isMovie(state.lastPhoto) ? "movie.saved" : "saved.title"));
      write($("saved-text"), t("saved.text"));
      this.#again(camera);
      if (this.#last !== "finished") sounds.saved();
    }
    if (name === "failed") {
      write($("failed-title"), guestSentence(state.trouble));
      this.#again(state.source === "camera");
    }
  }

  /** A session with the camera goes on with another one. */
  #again(camera) {
    for (const element of [...all(".again"), $("saved-next")]) element.hidden = !camera;
  }

  #attract(state) {
    const live = state.state === "live";
    $("photos").hidden = state.settings?.gallery !== true;
    const title = live ? t("live.title") : state.settings?.title || t("attract.title");
    if ($("live-cancel").hidden !== live && $("attract-title").textContent === title) return;
    write($("attract-title"), title);
    write($("attract-hint"), live ? t("live.hint") : t("attract.hint"));
    $("live-cancel").hidden = !live;
    this.#measure();
  }

  #trouble(trouble) {
    write($("trouble-title"), guestSentence(trouble));
    const key = `trying.${trouble.code}`;
    const kind = `trying.${trouble.kind}`;
    write($("trouble-trying"), has(key) ? t(key) : has(kind) ? t(kind) : trouble.trying ?? "");
    $("trouble-sign").setAttribute("href", `#${SIGNS[trouble.kind] ?? "i-wait"}`);
    const trying = trouble.retryAt === null || trouble.retryAt === undefined;
    if (trying) {
      this.#retry.stop();
      write($("retry-text"), t("retry.now"));
    } else {
      this.#retry.start(trouble.retryAt);
    }
    runBar($("retry").firstElementChild, trying ? null : trouble.retryAt);
  }

  #timer(state) {
    const box = $("app").querySelector(".timer");
    const end = (state && deadline(state)) || 0;
    if (end === this.#barEnd || (end && Math.abs(end - this.#barEnd) < 250)) return;
    this.#barEnd = end;
    box.hidden = !end;
    if (!end) return this.#left.stop();
    runBar(box.firstElementChild, end, state.totalMs);
    this.#atEnd = state.atEnd === "accept" ? "accept" : "cancel";
    this.#left.start(end);
  }

  /** The ring that fills and the time that runs, while a movie is recorded. */
  #recording(state) {
    const end = (state && deadline(state)) || 0;
    if (end === this.#ringEnd || (end && Math.abs(end - this.#ringEnd) < 250)) return;
    this.#ringEnd = end;
    $("tape").hidden = !end;
    runRing($("ring"), end || null, state?.totalMs);
    if (!end) return this.#elapsed.stop();
    this.#length = Math.round(state.totalMs / 1000);
    this.#elapsed.start(end);
  }

  #tape(left) {
    const time = clock(Math.max(0, this.#length - left));
    write($("tape-time"), time);
    write($("elapsed"), `${time} / ${clock(this.#length)}`);
  }

  /** The still of the review, until it is saved or gone. */
  #picture(name, state) {
    const review = ["review", "saving", "saved"].includes(name) && state.source !== "photoLibrary"
      && state.source !== "savedPhotosAlbum";
    // The station forgets the selection with the session; its first picture stays until the next one.
    if (state.selection?.length) this.#picked = state.selection[0];
    else if (name === "attract") this.#picked = null;
    const picked = ["saving", "saved"].includes(name) && !review && this.#picked;
    const source = picked ? thumbnail(picked)
      : !review ? null
      : state.candidate != null && name !== "saved" ? this.#reviewed(state, name)
      : this.#still?.source ?? (state.lastPhoto ? saved(state.lastPhoto) : null);
    if (source !== (this.#still?.source ?? null)) {
      const [whole] = (source ?? "").split("&frame");
      if (this.#still?.ready && whole === this.#still.source.split("&frame")[0]) this.#exchange(source);
      else this.#load(source);
    }
    // It has been seen, and its file is the library's now.
    if (name === "saved") this.#player.pause();
    if (name === "review") this.#applyEdit(state.edit);
    $("seal").hidden = name !== "saved";
    $("busy").hidden = !(name === "capturing" || name === "saving" || (name === "review" && !this.#still?.ready));
  }

  /** Where the still or the movie under review is; while it is saved it is the same. */
  #reviewed(state, name) {
    const movie = state.isMovie || (name === "saving" && this.#still?.movie);
    const own = `?candidate=${state.candidate}`, { frames } = state;
    // Another frame is shown once its still is made; until then, and while it is saved, the one before stays.
    if ((name === "saving" || frames?.ready === false) && this.#still?.source.includes(own)) return this.#still.source;
    const frame = frames && frames.chosen !== frames.nearest ? `&frame=${frames.chosen}` : "";
    return `/api/v1/review/${state.session}.${movie ? "mp4" : "jpg"}${own}${frame}`;
  }

  /** Shows another frame of the photo that is on show, once it is there. */
  async #exchange(source) {
    const still = this.#still, image = $("still-image").cloneNode();
    still.source = source;
    image.src = source;
    const came = await image.decode().then(() => true, () => false);
    if (this.#still !== still || still.source !== source) return;
    if (!came) return this.#load(source);
    $("still-image").replaceWith(image);
    this.#applyEdit(still.edit);
  }

  async #load(source) {
    const image = $("still-image");
    const movie = source !== null && /^\/api\/v1\/review\/\d+\.mp4\?/.test(source);
    const still = (this.#still = source && { source, movie, ready: false, edit: null });
    this.#player.stop();
    image.hidden = movie;
    $("still-dumb").hidden = true;
    this.armedAt = Infinity;
    $("accept").setAttribute("aria-disabled", "true");
    if (!source) {
      $("still").hidden = true;
      image.removeAttribute("src");
      return;
    }
    if (movie) image.removeAttribute("src");
    for (let attempt = 0; attempt < 4 && this.#still === still; attempt++) {
      const again = attempt ? `${source}${source.includes("?") ? "&" : "?"}again=${attempt}` : source;
      if (movie) {
        if (await this.#player.play(again)) break;
        await new Promise((resolve) => setTimeout(resolve, 200));
        if (attempt === 3 && this.#still === still) $("still-dumb").hidden = false;
        continue;
      }
      image.src = again;
      try {
        await image.decode();
        break;
      } catch {
        await new Promise((resolve) => setTimeout(resolve, 200));
      }
    }
    if (this.#still !== still) return;
    still.ready = true;
    $("still").hidden = false;
    $("busy").hidden = this.name === "review" || this.name === "saved";
    image.alt = t("review.label");
    for (const one of [$("still-movie"), $("still-pictures")]) one.setAttribute("aria-label", t("movie.label"));
    this.armedAt = performance.now() + ARMING;
    setTimeout(() => this.#still === still && $("accept").removeAttribute("aria-disabled"), ARMING);
    this.#applyEdit(still.edit);
  }

  /** Shows the still with the guest's crop and turns, as they will be saved. */
  #applyEdit(edit) {
    const image = $("still-image"), still = this.#still;
    if (!still || still.movie) return;
    still.edit = edit ?? null;
    const plain = !edit || (!edit.crop && !edit.quarterTurns);
    $("still").classList.toggle("edited", !plain);
    if (plain || !still.ready) return image.removeAttribute("style");
    const { naturalWidth: width, naturalHeight: height } = image;
    const crop = edit.crop ?? { x: 0, y: 0, width, height };
    const box = $("frame").getBoundingClientRect();
    const lying = edit.quarterTurns % 2 === 1;
    const scale = Math.min(box.width / (lying ? crop.height : crop.width),
      box.height / (lying ? crop.width : crop.height));
    const px = (value) => `${value * scale}px`;
    Object.assign(image.style, {
      width: px(width), height: px(height), transformOrigin: "0 0",
      transform: `translate(${box.width / 2}px, ${box.height / 2}px) rotate(${edit.quarterTurns * 90}deg) `
        + `translate(${px(-crop.x - crop.width / 2)}, ${px(-crop.y - crop.height / 2)})`,
      clipPath: `inset(${px(crop.y)} ${px(width - crop.x - crop.width)} ${px(height - crop.y - crop.height)} ${px(crop.x)})`,
    });
  }

  #tick(seconds) {
    const shown = Math.max(1, seconds), last = seconds <= 1;
    if ($("count-number").textContent === String(shown) && !$("lens").hidden && seconds === 0) return;
    light.number(shown, t(last ? "countdown.smile" : "countdown.look"));
    write($("countdown-title"), last ? t("countdown.smile") : t("countdown.ready"));
    write($("alarm"), String(shown));
    sounds.tick(last);
  }

  #flash() {
    sounds.shutter();
    const steps = isCalm() ? [{ opacity: 0.5 }, { opacity: 0 }] : [{ opacity: 1 }, { opacity: 1, offset: 0.25 }, { opacity: 0 }];
    $("flash").animate(steps, { duration: isCalm() ? 300 : 650, easing: "ease-out" });
    $("flash").dataset.count = String(Number($("flash").dataset.count ?? 0) + 1);
  }

  #tell(name) {
    const section = document.querySelector(`#app > [data-screen=${name}]`);
    const heading = section.querySelector("h1")?.textContent ?? "";
    const more = name === "review" && !section.querySelector(".timer").hidden ? $("review-end").textContent
      : name === "trouble" ? $("trouble-trying").textContent : "";
    write($(name === "trouble" ? "alarm" : "announcer"), `${heading} ${more}`.trim());
  }

  /** Takes the fullest form of the screen that fits; in portrait the panel gets what it needs, the picture the rest. */
  #measure(resized = false) {
    const section = document.querySelector("#app > :is(.panel, .notice).shown");
    if (!section) return;
    const app = $("app"), upright = app.clientWidth < app.clientHeight;
    // The picture stays where it is when it is taken.
    const kept = ["countdown", "capturing"].includes(this.name) && !resized;
    for (let fit = 0; fit < FITS.length; fit++) {
      app.dataset.fit = FITS[fit];
      if (upright && !kept && section.matches(".panel")) {
        app.style.setProperty("--panel", "auto");
        const needed = section.offsetHeight, gap = $("picture").offsetLeft;
        const left = app.clientHeight - (app.clientWidth - 2 * gap) / Number(app.style.getPropertyValue("--ratio") || 0.75) - 3 * gap;
        const most = app.clientHeight * (fit === FITS.length - 1 ? 0.8 : 0.6);
        app.style.setProperty("--panel", `${Math.ceil(Math.min(Math.max(needed, left), Math.max(most, left)))}px`);
      }
      // A ring and a line of tall letters reach a little out of their boxes.
      if (section.scrollHeight <= section.clientHeight + 6 && [section, ...all("h1, p, button", section)]
        .every((one) => one.scrollWidth <= one.clientWidth + 1)) break;
    }
    if (this.#still) this.#applyEdit(this.#still.edit);
  }
}

/** The forms of a screen, see screens.css: the fullest first. */
const FITS = ["", "1", "1 2", "1 2 3", "1 2 3 4"];

"""##),
    PageLiteral(
      name: "slides.js", tag: "\"7a91754f7b56473b\"",
      text: #"""
// Saved photos on the attract screen, one after the other, and the gallery behind dialogs.
import { $, all, isCalm, make } from "./dom.js";

const EACH = 6000;

/** The newest photos that are pictures. */
export async function newest(limit) {
  const answer = await fetch(`/api/v1/photos?limit=${limit}`, { signal: AbortSignal.timeout(5000) });
  if (!answer.ok) throw new Error(`photos: ${answer.status}`);
  return (await answer.json()).photos.filter((photo) => photo.kind !== "movie");
}

/** Where a photo's small picture is. */
export const thumbnail = (id) => `/api/v1/photos/${encodeURIComponent(id)}/thumbnail.jpg`;
/** Where a photo is. */
export const original = (id) => `/api/v1/photos/${encodeURIComponent(id)}/original`;

export class Slides {
  #box = $("slides");
  #timer = null;
  #photos = [];
  #next = 0;
  #turn = 0;

  /** Begins or ends; while it is off nothing is loaded and no picture is held. */
  show(wanted) {
    if (wanted === (this.#timer !== null)) return;
    if (wanted) {
      this.#timer = setInterval(() => this.#step(), EACH);
      this.#photos = [];
      this.#step();
    } else {
      clearInterval(this.#timer);
      this.#timer = null;
      this.#box.hidden = true;
      for (const image of all("img", this.#box)) this.#empty(image);
    }
  }

  #empty(image) {
    image.classList.remove("on");
    image.removeAttribute("src");
  }

  async #step() {
    try {
      if (this.#next >= this.#photos.length) {
        this.#photos = await newest(24);
        this.#next = 0;
      }
      const photo = this.#photos[this.#next++];
      if (!photo || this.#timer === null) return;
      const images = all("img", this.#box);
      const incoming = images[this.#turn ^= 1], outgoing = images[this.#turn ^ 1];
      // The size is known before the picture: a large original is not worth a small Pi's memory.
      incoming.src = photo.width * photo.height <= 9e6 ? original(photo.id) : thumbnail(photo.id);
      await incoming.decode();
      if (this.#timer === null) return this.#empty(incoming);
      this.#box.hidden = false;
      incoming.classList.add("on");
      outgoing.classList.remove("on");
      setTimeout(() => outgoing.classList.contains("on") || this.#empty(outgoing), isCalm() ? 0 : 1500);
    } catch {
      this.#photos = [];
    }
  }
}

/** Fills or empties the gallery that a sheet or a popover lies over. */
export async function gallery(wanted) {
  const box = $("gallery");
  if (wanted === !box.hidden) return;
  box.hidden = !wanted;
  if (!wanted) return box.replaceChildren();
  const photos = await newest(40).catch(() => []);
  if (!box.hidden) {
    box.replaceChildren(...photos.map((photo) => make("img", { alt: "", src: thumbnail(photo.id) })));
  }
}

"""#),
    PageLiteral(
      name: "sounds.js", tag: "\"33f3fbdf96958e3c\"",
      text: #"""
// Sounds for the countdown and the shutter, made here: no file, nothing to load. Off by default.
let context = null;
let enabled = false;

/** Switches the sounds; a browser may hold them back until the first touch. */
export function enable(on) {
  enabled = on;
  if (!on || context) return;
  context = new AudioContext({ latencyHint: "interactive" });
  addEventListener("pointerdown", () => context.resume(), { passive: true });
}

/** A second of the countdown; the last is higher. */
export function tick(last) {
  if (ready()) tone(last ? 1320 : 880, 0.12, 0.25);
}

/** The shutter: two short bursts of noise, as the curtains of a camera. */
export function shutter() {
  if (!ready()) return;
  burst(0, 2600);
  burst(0.09, 1500);
}

/** Saved: two notes up. */
export function saved() {
  if (!ready()) return;
  tone(784, 0.14, 0.18);
  tone(1175, 0.3, 0.18, 0.13);
}

function ready() {
  if (!enabled || !context) return false;
  if (context.state === "suspended") context.resume();
  return true;
}

function envelope(level, seconds, at) {
  const gain = context.createGain();
  gain.gain.setValueAtTime(0, at);
  gain.gain.linearRampToValueAtTime(level, at + 0.008);
  gain.gain.exponentialRampToValueAtTime(0.001, at + seconds);
  gain.connect(context.destination);
  return gain;
}

function tone(frequency, seconds, level, delay = 0) {
  const at = context.currentTime + delay;
  const source = context.createOscillator();
  source.frequency.value = frequency;
  source.connect(envelope(level, seconds, at));
  source.start(at);
  source.stop(at + seconds);
}

function burst(delay, frequency) {
  const at = context.currentTime + delay, seconds = 0.06;
  const buffer = context.createBuffer(1, context.sampleRate * seconds, context.sampleRate);
  const samples = buffer.getChannelData(0);
  for (let index = 0; index < samples.length; index++) samples[index] = Math.random() * 2 - 1;
  const source = new AudioBufferSourceNode(context, { buffer });
  const filter = new BiquadFilterNode(context, { type: "bandpass", frequency, Q: 0.8 });
  source.connect(filter).connect(envelope(0.5, seconds, at));
  source.start(at);
}

"""#),
    PageLiteral(
      name: "staff.css", tag: "\"4357c9cd50fff280\"",
      text: #"""
/* The operator's view. */
dialog.wide { width: min(64rem, 98vw); height: 98vh; max-height: 98vh; padding: clamp(.5rem, 2vmin, 1.2rem); }
dialog.wide[open] { display: grid; grid-template: auto 1fr / 1fr auto; align-items: center; gap: .5rem .8rem; }
.wide > .choice[data-close] { grid-area: 1 / 2; width: auto; min-height: 44px; font-size: 1em; padding-block: .2em; }
.wide > .report { grid-area: 2 / 1 / 3 / 3; align-self: stretch; align-content: start; }
.report > div:not([hidden]) { display: grid; gap: .8rem; align-content: start; min-width: 0; }
.report h3 { font-size: 1em; font-weight: 650; margin-top: .4rem; }
.report .deeds { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(9rem, 46%), 1fr)); gap: .5rem; }
.report .deeds .choice { min-height: 48px; font-size: 1em; padding: .3em .7em; }
.report .word { padding: .6rem .9rem; border-radius: var(--round); background: #1d3524; }
.report .word.bad { background: #452f10; }
.report :is(.checks, .faults) { display: grid; gap: .5rem; }
.report .faults .check { padding: .5rem .9rem; }
.report .facts { grid-template-columns: minmax(5rem, auto) 1fr; gap: .35rem 1rem; font-size: 1em; }
.report .facts dd { text-align: left; }
.report summary { min-height: 44px; padding: .5rem 0; color: var(--soft); }
.report .framing { position: relative; justify-self: center; max-width: 100%; }
.framing :is(img, video) { display: block; max-width: 100%; max-height: calc(98vh - 15rem); border-radius: .4rem; }
.framing svg { position: absolute; inset: 0; width: 100%; height: 100%; color: #fff; stroke-width: 1; opacity: .75; mix-blend-mode: difference; }
.framing path { vector-effect: non-scaling-stroke; stroke-width: 2; }
@media (min-aspect-ratio: 1/1) {
  .report > :is(.test, .photo):not([hidden]) { grid-template: auto 1fr / auto minmax(9rem, 1fr); }
  .report > div > .framing { grid-row: 1 / 3; }
  .framing :is(img, video) { max-width: 50vw; max-height: calc(98vh - 5.5rem); }
  .report > :is(.test, .photo) .deeds { grid-template-columns: 1fr; align-content: start; }
}
.report .tile { height: auto; aspect-ratio: 3 / 4; }

"""#),
    PageLiteral(
      name: "staff.js", tag: "\"c6bdf49ad1c410d1\"",
      text: #"""
// What the operator sees and does: how the station stands, a test shot, photos to delete, the next
// album, a restart.
import { $, make, write } from "./dom.js";
import { check, silence } from "./operator.js";
import { original, thumbnail } from "./slides.js";
import { has, language, more, t } from "./text.js";

const DIGITS = 32;
const LEAVE = 90000;
const PAGE = 24;

/** What the station calls its parts, in the operator's language. */
const NAMES = { camera: "staff.camera", library: "staff.library", copy: "staff.copies", button: "staff.buttons" };
function part(name) {
  const [kind, ...rest] = name.split(" ");
  return kind in NAMES ? [t(NAMES[kind]), ...rest].join(" ") : name;
}

/** A state's name, in the same way. */
const state = (name) => (has(`staff.state.${name}`) ? t(`staff.state.${name}`) : name);

/** A button with words. */
function button(key, act, className = "choice") {
  const made = make("button", { type: "button", className }, make("span", { className: "name", textContent: t(key) }));
  made.addEventListener("click", act);
  return made;
}

export class Staff {
  #station;
  #dialog = $("operator");
  #view = $("operator-view");
  #parts = {};
  #pin = "";
  #entered = "";
  #timer = null;
  #used = 0;
  #bytes = null;
  #next = null;
  #health = null;
  #url = null;

  constructor(station) {
    this.#station = station;
    for (const key of ["1", "2", "3", "4", "5", "6", "7", "8", "9", "⌫", "0", "✓"]) {
      const made = make("button", { type: "button", textContent: key });
      made.dataset.label = { "⌫": "staff.erase", "✓": "done" }[key] ?? "";
      if (!made.dataset.label) made.removeAttribute("data-label");
      made.addEventListener("click", () => this.#key(key));
      $("pin-pad").append(made);
    }
    this.#dialog.addEventListener("keydown", (event) => {
      if ($("pin").hidden || event.ctrlKey || event.metaKey) return;
      if (/^[A-Za-z\d._-]$/.test(event.key)) this.#key(event.key);
      else if (event.key === "Backspace") this.#key("⌫");
      else if (event.key === "Enter" && !event.target.closest("[data-close], .pad")) this.#key("✓");
    });
    this.#dialog.addEventListener("pointerdown", () => (this.#used = performance.now()));
    this.#dialog.addEventListener("close", () => this.#closed());
  }

  async open() {
    await Promise.all([more("staff"), style()]);
    this.#pin = this.#entered = "";
    this.#bytes = null;
    this.#used = performance.now();
    const needed = this.#station.state?.pinRequired === true;
    this.#build();
    this.#ask(needed);
    this.#dialog.showModal();
    (needed ? $("pin") : this.#view).focus();
    if (!needed) this.#refresh();
    this.#timer = setInterval(() => {
      if (performance.now() - this.#used > LEAVE) this.#dialog.close();
      else if ($("pin").hidden && !this.#parts.report.hidden) this.#refresh();
    }, 2000);
  }

  #closed() {
    clearInterval(this.#timer);
    this.#pin = this.#entered = "";
    this.#view.replaceChildren();
    this.#forget();
  }

  // MARK: PIN

  #ask(needed) {
    $("pin").hidden = !needed;
    this.#view.hidden = needed;
    this.#dialog.classList.toggle("wide", !needed);
    write($("pin-text"), t("staff.pin"));
    this.#dots();
  }

  #dots() {
    write($("pin-dots"), "•".repeat(this.#entered.length));
  }

  #key(key) {
    this.#used = performance.now();
    if (key === "⌫") this.#entered = this.#entered.slice(0, -1);
    else if (key === "✓") {
      this.#pin = this.#entered;
      this.#entered = "";
      this.#refresh();
    } else if (this.#entered.length < DIGITS) this.#entered += key;
    this.#dots();
  }

  // MARK: Asking the station

  /** What the station answers; null where it wants another PIN. */
  async #send(path, { method = "GET", patience = 4000 } = {}) {
    const headers = this.#pin ? { "X-Retake-Pin": this.#pin } : {};
    const answer = await fetch(`/api/v1/${path}`, {
      method, headers, cache: "no-store", signal: AbortSignal.timeout(patience),
    });
    if (![401, 429].includes(answer.status)) return answer;
    this.#ask(true);
    if (this.#pin) write($("pin-text"), t(answer.status === 429 ? "staff.slow" : "staff.wrong"));
    this.#pin = "";
    return null;
  }

  /** Does something, and says what came of it; the answer where it was done. */
  async #do(path, options, done) {
    let words = "";
    try {
      const answer = await this.#send(path, options);
      if (!answer) return null;
      if (answer.ok) {
        if (done) this.#say(done);
        return answer;
      }
      const { detail, title, fix } = await answer.json();
      words = [detail ?? title, fix].filter(Boolean).join(": ");
    } catch {
      words = t("operator.silent", { url: location.origin });
    }
    this.#say(words, true);
    return null;
  }

  #say(words, isBad = false) {
    write(this.#parts.word, words);
    this.#parts.word.className = isBad ? "word bad" : "word";
    this.#parts.word.hidden = !words;
  }

  // MARK: The view

  #build() {
    const parts = (this.#parts = {});
    for (const name of ["report", "photos", "photo", "test", "sure"]) parts[name] = make("div", { className: name, hidden: true });
    parts.word = make("p", { className: "word", role: "status", hidden: true });
    parts.checks = make("div", { className: "checks" });
    parts.facts = make("dl", { className: "facts" });
    parts.faults = make("div", { className: "faults" });
    parts.raw = make("dl");
    parts.deeds = make("div", { className: "deeds" },
      button("staff.test", () => this.#test()), button("staff.photos", () => this.#photos(true)),
      button("staff.album", () => this.#sure(t("staff.album.sure", { album: this.#health?.album ?? "" }), "staff.album.yes", () => this.#album())),
      button("staff.restart", () => this.#sure(t("staff.restart.sure"), "staff.restart", () => this.#restart())));
    const fold = make("details", {}, make("summary", { textContent: t("staff.raw") }), parts.raw);
    parts.report.append(parts.deeds, parts.checks, parts.facts,
      make("h3", { textContent: t("staff.faults") }), parts.faults, fold);
    this.#view.replaceChildren(parts.word, ...["report", "photos", "photo", "test", "sure"].map((name) => parts[name]));
    this.#turn("report");
  }

  /** Shows one part of the view. */
  #turn(name) {
    for (const part of ["report", "photos", "photo", "test", "sure"]) this.#parts[part].hidden = part !== name;
    this.#view.scrollTop = 0;
    this.#view.focus();
    if (name === "report") this.#forget();
  }

  async #refresh() {
    let answer;
    try {
      answer = await this.#send("health");
      if (!answer) return;
      if (!answer.ok && answer.status !== 503) throw new Error(`health: ${answer.status}`);
      this.#health = await answer.json();
    } catch {
      this.#health = null;
    }
    if (!this.#dialog.open) return;
    if (!$("pin").hidden) {
      this.#ask(false);
      this.#view.focus();
    }
    if (this.#health) await this.#show(this.#health);
    else this.#parts.checks.replaceChildren(silence());
  }

  async #show({ checks = [], faults = [], ...rest }) {
    const parts = this.#parts, place = this.#view.scrollTop;
    const now = this.#station.connected ? this.#station.state?.trouble?.operator : null;
    const wrong = checks.filter(({ ok }) => !ok);
    if (now && !wrong.some(({ fix }) => fix && fix === now.fix)) {
      wrong.unshift({ name: t("staff.now"), ok: false, detail: now.reason, fix: now.fix });
    }
    for (const detail of [rest.status?.configurationProblem, rest.status?.refusedConfiguration]) {
      if (detail) wrong.unshift({ name: t("staff.configuration"), ok: false, detail });
    }
    const boxes = wrong.length ? wrong : [{ name: t("staff.well"), ok: true }];
    parts.checks.replaceChildren(...boxes.map((one) => check({ ...one, name: part(one.name), fix: one.fix && t("staff.fix", one) })));
    this.#bytes ??= await this.#usualSize();
    parts.facts.replaceChildren(...this.#facts(rest).flatMap(([name, value]) =>
      [make("dt", { textContent: t(name) }), make("dd", { textContent: value })]));
    parts.faults.replaceChildren(...(faults.length ? faults.map((one) => this.#fault(one))
      : [make("p", { textContent: t("staff.faults.none") })]));
    parts.raw.replaceChildren(...[...flat({ checks, ...rest })].flatMap(([name, value]) =>
      [make("dt", { textContent: name }), make("dd", { textContent: value })]));
    this.#view.scrollTop = place;
  }

  /** What an operator looks for, as pairs of a word and a value. */
  #facts({ status = {}, album = "", version = "" }) {
    const { library = {}, camera = {}, panel = {}, photos = 0 } = status;
    const facts = [["staff.taken", t("staff.taken.since", { n: photos, album })]];
    if (library.freeBytes != null) {
      const n = this.#bytes ? Math.floor(library.freeBytes / this.#bytes) : null;
      facts.push(["staff.room", n === null ? size(library.freeBytes)
        : t("staff.room.for", { size: size(library.freeBytes), n: count(n >= 200 ? Math.floor(n / 100) * 100 : n) })]);
    }
    for (const copy of library.copies ?? []) {
      const waiting = copy.waiting ? `, ${t("staff.copies.waiting", { n: copy.waiting })}` : "";
      facts.push(["staff.copies", `${copy.path}: ${state(copy.state)}${waiting}`]);
    }
    const rate = camera.observedRate == null ? "" : `, ${t("staff.camera.rate", { n: count(camera.observedRate) })}`;
    facts.push(["staff.camera", `${camera.name ?? "–"}: ${camera.mode ?? camera.state ?? "–"}${rate}${camera.lacksLight ? `, ${t("staff.camera.dark")}` : ""}`]);
    for (const one of panel.buttons ?? []) {
      facts.push(["staff.buttons", `${one.name} (${one.place}): ${state(one.state)}, ${t("staff.buttons.presses", { n: one.presses })}`]);
    }
    facts.push(["staff.version", version]);
    return facts;
  }

  #fault({ source, reason, fix, secondsAgo, lasted }) {
    const how = lasted == null ? t("staff.faults.now") : t("staff.faults.lasted", { time: span(lasted) });
    return check({ name: `${ago(secondsAgo)} · ${how}`, ok: lasted != null, detail: source === "guests" ? reason : `${part(source)}: ${reason}`,
      fix: fix && t("staff.fix", { fix }) });
  }

  /** The mean of the last photos' sizes; 0 where there are none. */
  async #usualSize() {
    try {
      const { photos } = await (await this.#send("photos?limit=20")).json();
      const all = photos.filter(({ kind }) => kind !== "movie").map(({ bytes }) => bytes);
      return all.length ? all.reduce((sum, one) => sum + one, 0) / all.length : 0;
    } catch {
      return null;
    }
  }

  // MARK: Deeds

  /** Asks once more before something is done. */
  #sure(words, yes, act, back = "report") {
    this.#say("");
    this.#parts.sure.replaceChildren(make("p", { textContent: words }), make("div", { className: "deeds" },
      button("staff.back", () => this.#turn(back)), button(yes, act, "choice accept")));
    this.#turn("sure");
  }

  async #album() {
    const answer = await this.#do("operator/album", { method: "POST" });
    if (answer) this.#say(t("staff.album.done", { album: (await answer.json()).album }));
    this.#turn("report");
    this.#refresh();
  }

  async #restart() {
    await this.#do("operator/restart", { method: "POST" }, t("staff.restart.done"));
    this.#turn("report");
  }

  async #test() {
    this.#say("");
    const { test } = this.#parts;
    const deeds = make("div", { className: "deeds" }, button("staff.back", () => this.#turn("report")),
      button("staff.test.again", () => this.#test(), "choice accept"));
    if (test.hidden) test.replaceChildren(make("p", { textContent: t("saving.library") }), deeds);
    this.#turn("test");
    const answer = await this.#do("operator/test-shot", { patience: 8000 });
    if (!answer || test.hidden) return;
    this.#forget();
    this.#url = URL.createObjectURL(await answer.blob());
    const image = make("img", { alt: t("review.label"), src: this.#url });
    await image.decode().catch(() => {});
    test.replaceChildren(make("div", { className: "framing" }, image, guide()),
      make("p", { textContent: t("staff.test.guide", { size: `${image.naturalWidth}×${image.naturalHeight}` }) }), deeds);
  }

  #forget() {
    if (this.#url) URL.revokeObjectURL(this.#url);
    this.#url = null;
  }

  async #photos(anew) {
    const { photos } = this.#parts;
    if (anew) {
      this.#say("");
      this.#next = null;
      photos.replaceChildren(make("div", { className: "deeds" }, button("staff.back", () => this.#turn("report"))), make("div", { className: "grid" }));
      this.#turn("photos");
    }
    photos.querySelector(".more")?.remove();
    const answer = await this.#do(`photos?limit=${PAGE}${this.#next ? `&before=${encodeURIComponent(this.#next)}` : ""}`);
    if (!answer) return;
    const page = await answer.json();
    this.#next = page.next;
    photos.querySelector(".grid").append(...page.photos.map((photo) => {
      const tile = make("button", { type: "button", className: "tile", "aria-label": photo.name },
        make("img", { alt: "", loading: "lazy", src: thumbnail(photo.id) }));
      tile.addEventListener("click", () => this.#photo(photo, tile));
      return tile;
    }));
    if (!photos.querySelector(".tile")) photos.append(make("p", { textContent: t("library.empty") }));
    if (this.#next) photos.append(button("staff.more", () => this.#photos(false), "choice more"));
  }

  #photo(photo, tile) {
    this.#say("");
    const picture = photo.kind === "movie"
      ? make("video", { src: original(photo.id), controls: true, muted: true, "aria-label": photo.name })
      : make("img", { alt: photo.name, src: original(photo.id) });
    const taken = photo.taken ? new Date(photo.taken).toLocaleString(language()) : "";
    this.#parts.photo.replaceChildren(make("div", { className: "framing" }, picture),
      make("p", { textContent: [photo.album, photo.name, taken, size(photo.bytes)].filter(Boolean).join(" · ") }),
      make("div", { className: "deeds" }, button("staff.back", () => this.#turn("photos")),
        button("staff.delete", () => this.#sure(t("staff.delete.sure", { name: photo.name }), "staff.delete", async () => {
          const answer = await this.#do(`photos/${encodeURIComponent(photo.id)}`, { method: "DELETE" }, t("staff.deleted", { name: photo.name }));
          if (answer) tile.remove();
          this.#turn("photos");
        }, "photos"))));
    this.#turn("photo");
  }
}

/** Lines of thirds, and where a head is large enough and whole. */
function guide() {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  for (const [name, values] of Object.entries({ viewBox: "0 0 300 300", preserveAspectRatio: "none", "aria-hidden": "true" })) svg.setAttribute(name, values);
  const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
  path.setAttribute("d", "M100 0v300M200 0v300M0 100h300M0 200h300M150 40a55 75 0 1 0 .1 0");
  svg.append(path);
  return svg;
}

const count = (value) => new Intl.NumberFormat(language()).format(value);

/** Bytes as people read them. */
function size(bytes) {
  const units = ["byte", "kilobyte", "megabyte", "gigabyte", "terabyte"];
  const step = Math.min(4, Math.floor(Math.log10(Math.max(1, bytes)) / 3));
  return new Intl.NumberFormat(language(), { style: "unit", unit: units[step], maximumFractionDigits: step > 2 ? 1 : 0 })
    .format(bytes / 1000 ** step);
}

/** The largest unit that seconds fill, and how many of it. */
function units(seconds) {
  if (seconds < 60) return [seconds, "second"];
  return seconds < 3600 ? [Math.floor(seconds / 60), "minute"] : [Math.floor(seconds / 3600), "hour"];
}

function span(seconds) {
  const [value, unit] = units(seconds);
  return new Intl.NumberFormat(language(), { style: "unit", unit, unitDisplay: "long" }).format(value);
}

function ago(seconds) {
  const [value, unit] = units(seconds);
  return new Intl.RelativeTimeFormat(language()).format(-value, unit);
}

/** Loads the view's style once. */
function style() {
  if ($("staff-style")) return null;
  const link = make("link", { id: "staff-style", rel: "stylesheet", href: "/page/staff.css" });
  document.head.append(link);
  return new Promise((resolve) => (link.onload = link.onerror = resolve));
}

function* flat(value, path = "") {
  for (const [name, inner] of Object.entries(value ?? {})) {
    const key = path ? `${path}.${name}` : name;
    if (inner !== null && typeof inner === "object") yield* flat(inner, key);
    else yield [key, String(inner ?? "–")];
  }
}

"""#),
    PageLiteral(
      name: "start.html", tag: "\"3a27ae323a85fc1c\"",
      text: #"""
<!doctype html>
<!-- For a browser that may start before the station: open this file (not the station's address), with
     the address behind '?'. It waits until the station answers and goes there.
     Example: chromium --kiosk "file:///usr/share/retake/start.html?http://127.0.0.1:8080/" -->
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <meta name="color-scheme" content="dark">
  <title>Retake</title>
  <style>
    html { height: 100%; background: #101317; color: #f4f2ee; }
    body { height: 100%; margin: 0; display: grid; place-content: center; justify-items: center; gap: 1rem; padding: 0 1rem; box-sizing: border-box; font: max(16px, calc(2.2vmin + 9px)) "Noto Sans", "Noto Sans CJK KR", system-ui, sans-serif; text-align: center; overflow-wrap: anywhere; }
    i { width: 4vmin; height: 4vmin; border-radius: 50%; background: #ffb84d; animation: breathe 2s ease-in-out infinite alternate; }
    @keyframes breathe { from { opacity: .25; transform: scale(.7); } }
    @media (prefers-reduced-motion: reduce) { i { animation: none; } }
    p { margin: 0; }
  </style>
</head>
<body>
  <i></i>
  <p id="words" role="status"></p>
  <p id="address"></p>
  <script type="module">
    const url = decodeURIComponent(location.search.slice(1)) || "http://127.0.0.1:8080/";
    const words = {
      en: ["The photo booth is starting…", "Still waiting for the photo booth. Please ask the staff."],
      de: ["Die Fotobox startet …", "Die Fotobox antwortet noch nicht. Bitte sag dem Personal Bescheid."],
      es: ["El fotomatón se está iniciando…", "El fotomatón aún no responde. Avisa al personal, por favor."],
      fr: ["La cabine photo démarre…", "La cabine photo ne répond pas encore. Prévenez le personnel, s’il vous plaît."],
      ja: ["フォトブースを起動しています…", "フォトブースがまだ応答しません。スタッフにお知らせください。"],
      ko: ["포토부스를 시작하고 있습니다…", "포토부스가 아직 응답하지 않습니다. 직원에게 알려 주세요."],
    };
    const code = navigator.languages.map((one) => one.slice(0, 2)).find((one) => one in words) ?? "en";
    const say = (index) => {
      document.documentElement.lang = code;
      document.getElementById("words").textContent = words[code][index];
    };
    setTimeout(() => say(0), 20000);
    setTimeout(() => {
      say(1);
      document.getElementById("address").textContent = url;
    }, 120000);
    for (;;) {
      try {
        await fetch(new URL("/healthz", url), { mode: "no-cors", cache: "no-store", signal: AbortSignal.timeout(2000) });
        location.replace(url);
        break;
      } catch {
        await new Promise((resolve) => setTimeout(resolve, 500));
      }
    }
  </script>
</body>
</html>

"""#),
    PageLiteral(
      name: "station.js", tag: "\"488dc5842fe6238b\"",
      text: #"""
// The connection to the station: its events, what is sent to it, and the sign of life.
//
// An EventSource cannot be given a deadline, and a socket unit accepts for a service that is
// stopped: then nothing comes and nothing fails. So the stream is read here, and whatever is silent
// for longer than the heartbeats allow is dropped and begun again.
import { sleep } from "./dom.js";

const SILENCE = 2000;
const PATIENCE = 5000;
const PAUSES = [200, 500, 1000, 1000, 2000];

/** Why a command did nothing: the station's problem document, or that it did not answer. */
export class Refusal extends Error {
  constructor(status, problem) {
    super(problem?.detail ?? problem?.title ?? "no answer");
    this.status = status;
    this.problem = problem;
  }
}

export class Station extends EventTarget {
  /** The newest state; null until the first has come. */
  state = null;
  /** Whether heartbeats come. */
  connected = false;
  /** Whether the station was ever heard. */
  met = false;
  /** When the next attempt begins, by performance.now(); null while one is being made. */
  nextAttempt = null;

  #page = crypto.getRandomValues(new Uint32Array(2)).join("-");
  #heard = -Infinity;
  #began = 0;
  #attempt = null;
  #lastId = "";
  #failures = 0;
  #beating = false;

  /** Begins; never ends by itself. */
  start(screen) {
    this.#run();
    setInterval(() => this.#watch(), 200);
    setInterval(() => this.#beat(screen()), 2000);
  }

  /** Sends a command that means the present session. */
  async send(command, body = {}, { session = true } = {}) {
    const content = session && this.state?.session != null
      ? { session: this.state.session, ...body } : body;
    const answer = await this.#post(command, content, PATIENCE);
    if (!answer.ok) throw new Refusal(answer.status, await answer.json().catch(() => null));
    const state = await answer.json().catch(() => null);
    if (state?.state) this.#take(state);
    return state;
  }

  async #run() {
    for (;;) {
      this.nextAttempt = null;
      this.#changed();
      const attempt = (this.#attempt = new AbortController());
      this.#began = performance.now();
      try {
        await this.#read(attempt);
      } catch {
        // Ended, refused or given up by the watch: all the same, it is begun again.
      }
      attempt.abort();
      this.#attempt = null;
      const pause = PAUSES[Math.min(this.#failures++, PAUSES.length - 1)];
      this.nextAttempt = performance.now() + pause;
      this.#changed();
      await sleep(pause);
    }
  }

  async #read(attempt) {
    const headers = this.#lastId ? { "Last-Event-ID": this.#lastId } : {};
    const answer = await fetch("/api/v1/events", { signal: attempt.signal, headers, cache: "no-store" });
    if (!answer.ok || !answer.body) throw new Error(`events: ${answer.status}`);
    const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
    let text = "";
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      text += value;
      const events = text.split(/\r?\n\r?\n/);
      text = events.pop();
      if (text.length > 1 << 20) throw new Error("an event without end");
      for (const event of events) this.#hear(event);
    }
  }

  #hear(event) {
    let kind = "message", data = "", id = null;
    for (const line of event.split(/\r?\n/)) {
      const [, field, value] = /^([^:]*):? ?(.*)$/.exec(line);
      if (field === "event") kind = value;
      else if (field === "data") data += (data && "\n") + value;
      else if (field === "id") id = value;
    }
    this.#heard = performance.now();
    if (!this.connected) {
      this.connected = this.met = true;
      this.#failures = 0;
      if (kind !== "state") this.#changed();
    }
    if (id !== null) this.#lastId = id;
    if (kind === "state") this.#take(JSON.parse(data), true);
    else if (kind === "notice") this.dispatchEvent(new CustomEvent("notice", { detail: JSON.parse(data) }));
  }

  /** An answer to a command may be older than what the events have told already. */
  #take(state, fromEvents = false) {
    const known = this.state;
    if (known?.instance === state.instance && state.number < known.number) return;
    if (!fromEvents && known && known.instance !== state.instance) return;
    state.received = performance.now();
    this.state = state;
    this.#changed();
  }

  /** The silence is measured only when what has arrived is read: a busy page is not a dead station. */
  #watch() {
    if (this.#silence() < SILENCE) return;
    setTimeout(() => {
      if (this.#silence() < SILENCE) return;
      if (performance.now() - this.#began >= SILENCE) this.#attempt?.abort();
      if (!this.connected) return;
      this.connected = false;
      this.#changed();
    }, 30);
  }

  #silence() {
    return performance.now() - this.#heard;
  }

  #changed() {
    this.dispatchEvent(new Event("change"));
  }

  async #beat(screen) {
    if (this.#beating) return;
    this.#beating = true;
    const visible = document.visibilityState === "visible";
    await this.#post("heartbeat", { page: this.#page, screen, visible }, SILENCE).catch(() => {});
    this.#beating = false;
  }

  #post(command, body, deadline) {
    return fetch(`/api/v1/${command}`, {
      method: "POST", cache: "no-store", signal: AbortSignal.timeout(deadline),
      headers: { "Content-Type": "application/json" }, body: JSON.stringify(body),
    });
  }
}

"""#),
    PageLiteral(
      name: "strip.css", tag: "\"ad745b13f6be9799\"",
      text: #"""
/* The frames around the press, at the foot of the photo under review. */
.strip { position: absolute; inset: auto 0 0; z-index: 2; display: flex; flex-wrap: wrap; justify-content: center; gap: .35rem; padding: .45rem; background: linear-gradient(#0000, #000a); }
.strip button { flex: none; width: clamp(48px, 15%, 5.5rem); min-height: 48px; aspect-ratio: var(--ratio, .75); padding: 0; border-radius: .3rem; overflow: hidden; background: #000; box-shadow: 0 0 0 2px #fff9; }
.strip [aria-checked=true] { box-shadow: 0 0 0 4px var(--accent); }
.strip img { display: block; width: 100%; height: 100%; object-fit: cover; pointer-events: none; }
.frame:has(.strip:not([hidden])) .toast { top: .5rem; bottom: auto; }
/* Where five are no row, the chosen one and those beside it; further ones follow as they are chosen. */
@container (max-width: 300px) {
  .strip button:not([aria-checked=true], [aria-checked=true] + button, :has(+ [aria-checked=true])) { display: none; }
}

"""#),
    PageLiteral(
      name: "strip.js", tag: "\"99ddd594fd174604\"",
      text: #"""
// The frames around the press: another one can be kept than the nearest.
import { $, make, write } from "./dom.js";
import { t } from "./text.js";

export class Strip {
  #station;
  #shown = null;
  #buttons = [];

  constructor(station) {
    this.#station = station;
  }

  /** Shows the frames that the review offers; null: there is none. */
  show(state, words = false) {
    const frames = state?.frames ?? null, box = $("strip");
    const hands = state?.showsCameraControls && state.presentation !== "headless";
    const wired = ["next", "previous"].some((name) => state?.controls?.[name]?.length);
    if (!frames || !(hands || wired)) {
      box.hidden = true;
      if (this.#shown) box.replaceChildren();
      this.#shown = null;
      return;
    }
    const count = frames.offsetsMs.length, shown = `${state.session} ${state.candidate} ${count}`;
    if (shown !== this.#shown) {
      this.#shown = shown;
      words = true;
      this.#buttons = frames.offsetsMs.map((_, index) => this.#button(state, index));
      box.replaceChildren(...this.#buttons);
    }
    if (words) {
      box.setAttribute("aria-label", t("frames.label"));
      this.#buttons.forEach((button, index) => button.setAttribute("aria-label", t("frames.one", { n: index + 1, count })));
    }
    this.#buttons.forEach((button, index) => {
      const chosen = index === frames.chosen;
      if (chosen && button.getAttribute("aria-checked") === "false") write($("announcer"), button.getAttribute("aria-label"));
      button.setAttribute("aria-checked", String(chosen));
      button.tabIndex = chosen ? 0 : -1;
      button.disabled = !hands;
    });
    box.hidden = false;
  }

  /** Whether the key means another frame; it is chosen then. */
  key(name) {
    const step = { ArrowRight: "next", ArrowLeft: "previous" }[name];
    if (!step || $("strip").hidden || this.#buttons[0]?.disabled) return false;
    this.#choose({ step });
    return true;
  }

  #button(state, index) {
    const image = make("img", { alt: "", src: `/api/v1/review/${state.session}/${index}.jpg?candidate=${state.candidate}` });
    const button = make("button", { type: "button", role: "radio", "aria-checked": "false" }, image);
    button.addEventListener("click", () => this.#choose({ frame: index }));
    return button;
  }

  #choose(choice) {
    this.#station.send("frame", choice).catch(() => {});
  }
}

"""#),
    PageLiteral(
      name: "text.js", tag: "\"e7eb28833eba7bd9\"",
      text: #"""
// The guest's language: one file each in languages/.
import { all, make, write } from "./dom.js";

/** The languages there are, in the order they are offered, each by its own name. */
export const languages = {
  en: "English", de: "Deutsch", es: "Español", fr: "Français", ja: "日本語", ko: "한국어",
};

const loaded = new Map();
let words = {};
let fallback = {};
let current = "en";

/** The language in use. */
export const language = () => current;

/** The sentence for `key`, with {name} filled in; the key itself if no language has it. */
export function t(key, values = {}) {
  const sentence = words[key] ?? fallback[key];
  if (sentence === undefined) return key;
  return sentence.replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);
}

/** Whether a language has a sentence for `key`. */
export const has = (key) => (words[key] ?? fallback[key]) !== undefined;

/** What a setting means here: a language there is, else the browser's first, else English. */
export function resolve(setting) {
  for (const wanted of [setting, ...navigator.languages]) {
    const code = String(wanted ?? "").toLowerCase().split(/[-_]/)[0];
    if (code in languages) return code;
  }
  return "en";
}

/** Makes `code` the language; where its file does not come, the one before stays, or English. */
export async function use(code) {
  const wanted = await load(code);
  fallback = (await load("en")) ?? fallback;
  if (wanted) [words, current] = [wanted, code];
  document.documentElement.lang = document.body.lang = current;
  fill(document);
  return wanted !== undefined;
}

/** Adds the words of a part of the page that is loaded later, from languages/PART/. */
export async function more(part) {
  for (const [code, into] of [["en", fallback], [current, words]]) Object.assign(into, await load(`${part}/${code}`));
  fill(document);
}

async function load(code) {
  if (loaded.has(code)) return loaded.get(code);
  try {
    const answer = await fetch(`/page/languages/${code}.json`, { signal: AbortSignal.timeout(4000) });
    if (!answer.ok) return undefined;
    const file = await answer.json();
    loaded.set(code, file);
    return file;
  } catch {
    return undefined;
  }
}

/** Writes the words into everything below `root` that names them. */
export function fill(root) {
  for (const element of all("[data-text]", root)) write(element, t(element.dataset.text));
  for (const element of all("[data-label]", root)) {
    element.setAttribute("aria-label", t(element.dataset.label));
  }
}

/** Writes `labels` of buttons and keys into `element`, after `map` and inside the sentence `sentence` if given. */
export function keys(element, labels, sentence, map) {
  const names = [...new Set(labels.map(keyName))].slice(0, 2);
  const caps = names.map((name) => make("kbd", { textContent: name }));
  if (map) caps.unshift(map);
  if (!caps.length) return element.replaceChildren();
  if (!sentence) return element.replaceChildren(...caps);
  const [before, after = ""] = t(sentence).split("{keys}");
  element.replaceChildren(before.trim(), ...caps, after.trim());
}

/** A label's own words: the station names keys as the kernel does ("ESC"), buttons as configured. */
function keyName(label) {
  const key = `key.${label.toLowerCase().replace(/^key_/, "").replace(/^escape$/, "esc")}`;
  if (has(key)) return t(key);
  return label.length > 1 ? label[0].toUpperCase() + label.slice(1).toLowerCase().replaceAll("_", " ") : label;
}

"""#),
    PageLiteral(
      name: "timers.js", tag: "\"3d8b0ec9d1313a28\"",
      text: #"""
// What runs out: bars, seconds, and the countdown's number. The station's times are relative to the
// state they came with, so a wrong clock on either side does not matter.
import { isCalm } from "./dom.js";

/** When the state's time is over, by performance.now(); null: never. */
export const deadline = (state) =>
  state?.remainingMs == null ? null : state.received + state.remainingMs;

/** Lets a bar run from what is left to nothing; `end` null empties it. */
export function runBar(bar, end, total) {
  const fill = bar.firstElementChild;
  const left = end === null ? 0 : end - performance.now();
  for (const animation of fill.getAnimations()) animation.cancel();
  if (left <= 0) return;
  const share = Math.min(1, left / Math.max(left, total || left));
  fill.animate([{ transform: `scaleX(${share})` }, { transform: "scaleX(0)" }], {
    duration: left, fill: "forwards",
  });
}

/** Lets a ring fill until `end`; null empties it. Each of its halves does one half of the time. */
export function runRing(ring, end, total) {
  const halves = [...ring.querySelectorAll(".half > i")];
  for (const half of halves) for (const animation of half.getAnimations()) animation.cancel();
  if (end === null || !(total > 0)) return;
  const done = Math.max(0, total - Math.max(0, end - performance.now()));
  for (const [index, half] of halves.entries()) {
    const turn = half.animate([{ transform: "rotate(0)" }, { transform: "rotate(180deg)" }], {
      delay: (index * total) / 2, duration: total / 2, fill: "both",
    });
    turn.currentTime = done;
  }
}

/** Calls back with the whole seconds left, at each change; replaced by the next `start`. */
export class Seconds {
  #timer = null;
  #end = null;
  #call;
  #said = null;

  constructor(call) {
    this.#call = call;
  }

  start(end) {
    if (end === this.#end) return;
    // The same moment, told again: the transport's jitter is no new countdown.
    if (end !== null && this.#end !== null && Math.abs(end - this.#end) < 250) {
      this.#end = end;
      return;
    }
    this.stop();
    this.#end = end;
    if (end !== null) this.#tick();
  }

  stop() {
    clearTimeout(this.#timer);
    this.#end = this.#said = null;
  }

  #tick() {
    const left = this.#end - performance.now();
    const seconds = Math.max(0, Math.ceil(left / 1000 - 0.02));
    if (seconds !== this.#said) this.#call((this.#said = seconds));
    if (left <= 0) return;
    this.#timer = setTimeout(() => this.#tick(), Math.max(15, left - (seconds - 1) * 1000));
  }
}

/** Moves an element from where it was to where it is now, by its transform alone. */
export function glide(element, before) {
  if (isCalm() || !before.width) return;
  const now = element.getBoundingClientRect();
  if (!now.width) return;
  const dx = before.left - now.left, dy = before.top - now.top, scale = before.width / now.width;
  if (Math.abs(dx) + Math.abs(dy) < 2 && Math.abs(scale - 1) < 0.01) return;
  element.animate(
    [{ transformOrigin: "0 0", transform: `translate(${dx}px, ${dy}px) scale(${scale})` },
      { transformOrigin: "0 0", transform: "none" }],
    { duration: 320, easing: "cubic-bezier(.2,.8,.2,1)" });
}

"""#),
    PageLiteral(
      name: "viewer.js", tag: "\"f38f89067eab591d\"",
      text: #"""
// One photo or movie of the library, large, and its neighbours.
import { $, write } from "./dom.js";
import { Player } from "./player.js";
import { original, thumbnail } from "./slides.js";
import { t } from "./text.js";

/** Photos of more pixels are shown by their small pictures: a small Pi has no memory for them. */
const MOST = 24e6;
/** A finger that moves this far turns to the next. */
const SWIPE = 50;

export class Viewer {
  #dialog = $("viewer");
  #image = $("viewer-image");
  #player = new Player($("viewer-movie"), $("viewer-pictures"));
  #photos = [];
  #at = 0;
  #toggle = null;
  #chosen = null;

  constructor() {
    $("viewer-before").addEventListener("click", () => this.#turn(-1));
    $("viewer-after").addEventListener("click", () => this.#turn(1));
    $("viewer-choose").addEventListener("click", () => this.#toggle?.(this.#photos[this.#at].id));
    this.#dialog.addEventListener("close", () => {
      this.#player.stop();
      this.#image.removeAttribute("src");
    });
    this.#dialog.addEventListener("keydown", ({ key }) => {
      if (key === "ArrowLeft" || key === "ArrowRight") this.#turn(key === "ArrowLeft" ? -1 : 1);
    });
    let from = null;
    $("stage").addEventListener("pointerdown", (event) => (from = event.clientX));
    $("stage").addEventListener("pointerup", (event) => {
      const far = event.clientX - (from ?? event.clientX);
      if (Math.abs(far) > SWIPE) this.#turn(far > 0 ? -1 : 1);
    });
  }

  /** Shows the photo at `index`; `toggle` chooses it or takes it back, null where nothing is chosen. */
  open(photos, index, toggle) {
    this.#photos = photos;
    this.#at = index;
    this.#toggle = toggle;
    $("viewer-choose").hidden = !toggle;
    this.#dialog.showModal();
    this.#show();
  }

  close() {
    if (this.#dialog.open) this.#dialog.close();
  }

  /** Marks what is chosen. */
  mark(chosen) {
    this.#chosen = chosen;
    const pressed = chosen.includes(this.#photos[this.#at]?.id);
    $("viewer-choose").setAttribute("aria-pressed", String(pressed));
    $("viewer-choose").classList.toggle("accept", !pressed);
    write($("viewer-choose-name"), t(pressed ? "view.chosen" : "view.choose"));
  }

  #turn(step) {
    const to = this.#at + step;
    if (!(to in this.#photos)) return;
    this.#at = to;
    this.#show();
  }

  async #show() {
    const photo = this.#photos[this.#at], image = this.#image, movie = photo.kind === "movie";
    write($("viewer-title"), `${this.#at + 1} / ${this.#photos.length}`);
    $("viewer-before").disabled = this.#at === 0;
    $("viewer-after").disabled = this.#at === this.#photos.length - 1;
    this.mark(this.#chosen ?? []);
    image.alt = t(movie ? "movie.label" : "review.label");
    for (const one of [$("viewer-movie"), $("viewer-pictures")]) one.setAttribute("aria-label", t("movie.label"));
    image.src = movie || photo.width * photo.height > MOST ? thumbnail(photo.id) : original(photo.id);
    image.hidden = false;
    this.#player.stop();
    // The small picture stays where no movie comes.
    if (movie && await this.#player.play(original(photo.id))) image.hidden = true;
  }
}

"""#),
    PageLiteral(
      name: "../openapi.yaml", tag: "\"49380afec5c455db\"",
      text: ##"""
openapi: 3.1.0
info:
  title: Retake
  version: "1"
  summary: What the kiosk page asks a camera station, and what other programs may ask, too.
  description: |
    Every refusal is a problem document (RFC 9457). When `web.token` is set, every address but
    `/healthz` needs it: `Authorization: Bearer TOKEN`, or the cookie that `/?token=TOKEN` sets.
    Requests from pages of other sites are refused.
  license:
    name: MIT
servers:
  - url: /
security:
  - {}
  - token: []
  - cookie: []

paths:
  /api/v1/state:
    get:
      operationId: state
      summary: Everything that the page shows.
      parameters:
        - {name: If-None-Match, in: header, schema: {type: string}}
        - {name: X-Retake-Pin, in: header, schema: {type: string}}
      responses:
        "200":
          description: The state; times count from the answer.
          headers: {ETag: {schema: {type: string}}}
          content: {application/json: {schema: {$ref: "#/components/schemas/State"}}}
        "304": {description: It has not changed.}
        default: {$ref: "#/components/responses/Problem"}
  /api/v1/events:
    get:
      operationId: events
      summary: Events without an end.
      description: |
        `state` (with an id; the whole state, at once and with every change), `notice` (a Notice),
        `heartbeat` (each second). A page that comes back gets the newest state.
      parameters:
        - {name: Last-Event-ID, in: header, schema: {type: string}}
      responses:
        "200":
          description: A stream of server-sent events.
          content: {text/event-stream: {schema: {type: string}}}
        default: {$ref: "#/components/responses/Problem"}
  /api/v1/shutter:
    post:
      operationId: shutter
      summary: Press the shutter.
      requestBody: {$ref: "#/components/requestBodies/Command"}
      responses: &done
        "200":
          description: It was done; this is the state after it.
          content: {application/json: {schema: {$ref: "#/components/schemas/State"}}}
        "409":
          description: |
            Nothing was done: the session is over (`stale`), it means nothing now (`meaningless`),
            or the station cannot (the reason's code).
          content: {application/problem+json: {schema: {$ref: "#/components/schemas/Problem"}}}
        default: {$ref: "#/components/responses/Problem"}
  /api/v1/record:
    post:
      operationId: record
      summary: Begin a movie; between sessions this begins a session for it.
      requestBody: {$ref: "#/components/requestBodies/Command"}
      responses: *done
  /api/v1/stop:
    post:
      operationId: stop
      summary: End the movie that is recorded; its review follows.
      requestBody: {$ref: "#/components/requestBodies/Command"}
      responses: *done
  /api/v1/accept:
    post:
      operationId: accept
      summary: Use the photo, confirm the selection, or keep the edit.
      requestBody: {$ref: "#/components/requestBodies/Command"}
      responses: *done
  /api/v1/retake:
    post:
      operationId: retake
      summary: Throw the photo away and shoot again.
      requestBody: {$ref: "#/components/requestBodies/Command"}
      responses: *done
  /api/v1/cancel:
    post:
      operationId: cancel
      summary: Give up, or leave an end screen.
      requestBody: {$ref: "#/components/requestBodies/Command"}
      responses: *done
  /api/v1/extend:
    post:
      operationId: extend
      summary: Somebody is there; the timer starts again.
      requestBody: {$ref: "#/components/requestBodies/Command"}
      responses: *done
  /api/v1/back:
    post:
      operationId: back
      summary: From the crop box to the library.
      requestBody: {$ref: "#/components/requestBodies/Command"}
      responses: *done
  /api/v1/begin:
    post:
      operationId: begin
      summary: Begin a session.
      requestBody:
        content:
          application/json:
            schema:
              type: object
              additionalProperties: false
              properties:
                session: {$ref: "#/components/schemas/OptionalSession"}
                source: {type: string, enum: [camera, photoLibrary, savedPhotosAlbum]}
                limit: {type: integer, minimum: 0, maximum: 1000}
                edit: {type: boolean}
                movies: {type: boolean, description: Whether movies may be taken or chosen.}
      responses: *done
  /api/v1/select:
    post:
      operationId: select
      summary: Choose a photo of the library.
      requestBody: {$ref: "#/components/requestBodies/Item"}
      responses: *done
  /api/v1/deselect:
    post:
      operationId: deselect
      summary: Choose it no longer.
      requestBody: {$ref: "#/components/requestBodies/Item"}
      responses: *done
  /api/v1/editor:
    post:
      operationId: editor
      summary: Open the crop box for a photo.
      requestBody: {$ref: "#/components/requestBodies/Item"}
      responses: *done
  /api/v1/edit:
    post:
      operationId: edit
      summary: Move the crop box, or turn.
      requestBody:
        required: true
        content:
          application/json:
            schema:
              type: object
              additionalProperties: false
              properties:
                session: {$ref: "#/components/schemas/OptionalSession"}
                crop:
                  oneOf:
                    - {type: "null"}
                    - type: object
                      additionalProperties: false
                      required: [x, y, width, height]
                      properties:
                        x: {type: integer, minimum: 0, maximum: 1048576}
                        y: {type: integer, minimum: 0, maximum: 1048576}
                        width: {type: integer, minimum: 1, maximum: 1048576}
                        height: {type: integer, minimum: 1, maximum: 1048576}
                quarterTurns: {type: integer, minimum: 0, maximum: 3}
      responses: *done
  /api/v1/frame:
    post:
      operationId: frame
      summary: Choose another of the frames that the review offers, by its index or by a step.
      requestBody:
        required: true
        content:
          application/json:
            schema:
              type: object
              additionalProperties: false
              properties:
                session: {$ref: "#/components/schemas/OptionalSession"}
                frame:
                  description: The index in the state's `frames.offsetsMs`.
                  oneOf: [{type: "null"}, {type: integer, minimum: 0, maximum: 4}]
                step:
                  description: In place of `frame`; the step after the last frame leads to the first.
                  type: string
                  enum: [next, previous]
      responses: *done
  /api/v1/heartbeat:
    post:
      operationId: heartbeat
      summary: A page says that it is alive; the watchdog of the kiosk listens.
      requestBody:
        required: true
        content:
          application/json:
            schema:
              type: object
              additionalProperties: false
              required: [page]
              properties:
                page: {type: string, minLength: 1, maxLength: 64}
                screen: {type: string, minLength: 1, maxLength: 64}
                visible: {type: boolean}
      responses:
        "204": {description: Heard.}
        default: {$ref: "#/components/responses/Problem"}
  /api/v1/preview:
    get:
      operationId: preview
      summary: The newest picture of the camera.
      parameters:
        - name: after
          in: query
          description: The number of the picture that is known; waits up to 2 s for another.
          schema: {type: integer, minimum: 0, maximum: 9007199254740991}
      responses:
        "200":
          description: The picture as the camera sent it, to be turned and cropped by `preview`.
          headers:
            X-Retake-Frame: {schema: {type: integer}}
            X-Retake-Age-Ms: {schema: {type: integer}}
          content: {image/jpeg: {schema: {type: string, format: binary}}}
        "204": {description: There was no other picture in time.}
        default: {$ref: "#/components/responses/Problem"}
  /preview.mjpg:
    get:
      operationId: previewStream
      summary: Pictures without an end, for viewers that know nothing better.
      responses:
        "200":
          description: One part for each picture.
          content: {multipart/x-mixed-replace: {schema: {type: string, format: binary}}}
        default: {$ref: "#/components/responses/Problem"}
  /api/v1/review/{name}:
    get:
      operationId: review
      summary: The photo or movie that a guest decides about, exactly as it will be saved.
      parameters:
        - name: name
          in: path
          required: true
          description: The session's number, with `.mp4` where the state's `isMovie` is true, else `.jpg`.
          schema: {type: string, pattern: "^[1-9][0-9]{0,15}\\.(jpg|mp4)$"}
        - name: frame
          in: query
          description: Only the photo of that frame is wanted; 404 while another one's is shown.
          schema: {type: integer, minimum: 0, maximum: 4}
        - {name: Range, in: header, description: For movies., schema: {type: string}}
        - {name: If-Range, in: header, schema: {type: string}}
        - {name: If-None-Match, in: header, schema: {type: string}}
      responses:
        "200":
          description: The photo, or the movie.
          content:
            image/jpeg: {schema: {type: string, format: binary}}
            image/png: {schema: {type: string, format: binary}}
            video/mp4: {schema: {type: string, format: binary}}
        "206":
          description: The part of the movie that was asked for.
          content: {video/mp4: {schema: {type: string, format: binary}}}
        "304": {description: It has not changed.}
        "404":
          description: There is none now.
          content: {application/problem+json: {schema: {$ref: "#/components/schemas/Problem"}}}
        default: {$ref: "#/components/responses/Problem"}
  /api/v1/review/{session}/{frame}:
    get:
      operationId: frameThumbnail
      summary: A small picture of one of the frames that the review offers.
      parameters:
        - {name: session, in: path, required: true, schema: {type: string, pattern: "^[1-9][0-9]{0,15}$"}}
        - name: frame
          in: path
          required: true
          description: The index in the state's `frames.offsetsMs`, with `.jpg`.
          schema: {type: string, pattern: "^[0-4]\\.jpg$"}
      responses:
        "200":
          description: The small picture.
          content: {image/jpeg: {schema: {type: string, format: binary}}}
        "404":
          description: No such frame is offered now.
          content: {application/problem+json: {schema: {$ref: "#/components/schemas/Problem"}}}
        default: {$ref: "#/components/responses/Problem"}
  /api/v1/photos:
    get:
      operationId: photos
      summary: Saved photos, newest first.
      parameters:
        - name: before
          in: query
          description: The `next` of the page before.
          schema:
            type: string
            maxLength: 1100
            pattern: "^-?[0-9]{1,15}~[^\\x00-\\x1f\\x7f]+$"
        - name: limit
          in: query
          schema: {type: integer, minimum: 1, maximum: 200, default: 50}
        - name: album
          in: query
          schema: {type: string, minLength: 1, maxLength: 1100, pattern: "^[^\\x00-\\x1f\\x7f]+$"}
      responses:
        "200":
          description: A page of them.
          content:
            application/json:
              schema:
                type: object
                additionalProperties: false
                required: [photos, next, total, omitted, unshown]
                properties:
                  photos: {type: array, items: {$ref: "#/components/schemas/Photo"}}
                  next: {type: [string, "null"]}
                  total: {type: integer, minimum: 0}
                  omitted:
                    description: How many more there are that no page shows, since there are too many.
                    type: integer
                    minimum: 0
                  unshown:
                    type: object
                    description: Pictures and movies that are there and cannot be shown here.
                    additionalProperties: false
                    required: [count, formats]
                    properties:
                      count: {type: integer, minimum: 0}
                      formats:
                        type: array
                        description: The most frequent one first, as in `HEIC`.
                        items: {type: string}
        default: {$ref: "#/components/responses/Problem"}
  /api/v1/photos/{id}:
    parameters:
      - {$ref: "#/components/parameters/Photo"}
    get:
      operationId: photo
      summary: One photo.
      responses:
        "200":
          description: What is known of it.
          content: {application/json: {schema: {$ref: "#/components/schemas/Photo"}}}
        default: {$ref: "#/components/responses/Problem"}
    delete:
      operationId: deletePhoto
      summary: Delete a photo and its copies; the operator's PIN is needed.
      parameters:
        - {name: X-Retake-Pin, in: header, schema: {type: string}}
      responses:
        "204":
          description: It is gone.
          headers: {Set-Cookie: {$ref: "#/components/headers/OperatorCookie"}}
        default: {$ref: "#/components/responses/Problem"}
  /api/v1/photos/{id}/thumbnail.jpg:
    parameters:
      - {$ref: "#/components/parameters/Photo"}
    get:
      operationId: thumbnail
      summary: A small picture of it.
      responses:
        "200":
          description: The picture.
          content: {image/jpeg: {schema: {type: string, format: binary}}}
        default: {$ref: "#/components/responses/Problem"}
  /api/v1/photos/{id}/original:
    parameters:
      - {$ref: "#/components/parameters/Photo"}
    get:
      operationId: original
      summary: The file itself.
      parameters:
        - {name: Range, in: header, schema: {type: string}}
        - {name: If-Range, in: header, schema: {type: string}}
        - {name: If-None-Match, in: header, schema: {type: string}}
      responses:
        "200":
          description: The whole file.
          content: &file
            image/jpeg: {schema: {type: string, format: binary}}
            image/png: {schema: {type: string, format: binary}}
            video/mp4: {schema: {type: string, format: binary}}
        "206": {description: The part that was asked for., content: *file}
        "304": {description: It has not changed.}
        default: {$ref: "#/components/responses/Problem"}
  /api/v1/cameras:
    get:
      operationId: cameras
      summary: The cameras of the machine, with what they can do.
      responses:
        "200":
          description: As `retake cameras --json` has them.
          content:
            application/json:
              schema:
                type: object
                additionalProperties: false
                required: [cameras]
                properties:
                  cameras: {type: array, items: {type: object}}
        default: {$ref: "#/components/responses/Problem"}
  /api/v1/health:
    get:
      operationId: health
      summary: What the operator wants to know.
      parameters:
        - {name: X-Retake-Pin, in: header, schema: {type: string}}
      responses:
        "200":
          description: One check for each thing that can be wrong.
          headers: {Set-Cookie: {$ref: "#/components/headers/OperatorCookie"}}
          content:
            application/json:
              schema:
                type: object
                additionalProperties: false
                required: [checks, faults, album, canRestart, version, status]
                properties:
                  checks:
                    type: array
                    items:
                      type: object
                      additionalProperties: false
                      required: [name, ok, detail]
                      properties:
                        name: {type: string}
                        ok: {type: boolean}
                        detail: {type: string}
                        fix: {type: string}
                  faults:
                    description: The last faults, newest first.
                    type: array
                    maxItems: 20
                    items:
                      type: object
                      additionalProperties: false
                      required: [source, reason, secondsAgo]
                      properties:
                        source: {type: string}
                        reason: {type: string}
                        fix: {type: string}
                        secondsAgo: {type: integer, minimum: 0}
                        lasted: {type: integer, minimum: 0, description: Seconds; missing while it lasts.}
                  album: {type: string, description: Where photos go.}
                  canRestart: {type: boolean, description: Whether a service manager starts the station again.}
                  version: {type: string}
                  status: {type: object}
        default: {$ref: "#/components/responses/Problem"}
  /api/v1/operator/test-shot:
    get:
      operationId: testShot
      summary: A photo of this moment as it would be saved; it is kept nowhere.
      parameters:
        - {name: X-Retake-Pin, in: header, schema: {type: string}}
      responses:
        "200":
          description: The photo.
          headers: {Set-Cookie: {$ref: "#/components/headers/OperatorCookie"}}
          content: {image/jpeg: {schema: {type: string, format: binary}}}
        default: {$ref: "#/components/responses/Problem"}
  /api/v1/operator/album:
    post:
      operationId: startAlbum
      summary: Start an album for the photos from the next session on; the operator's PIN is needed.
      parameters:
        - {name: X-Retake-Pin, in: header, schema: {type: string}}
      requestBody:
        required: false
        content:
          application/json:
            schema:
              type: object
              additionalProperties: false
              properties:
                name:
                  description: Without it the next one by number, such as `wedding-2` after `wedding`.
                  type: string
                  minLength: 1
                  maxLength: 255
      responses:
        "200":
          description: It is started.
          headers: {Set-Cookie: {$ref: "#/components/headers/OperatorCookie"}}
          content:
            application/json:
              schema:
                type: object
                additionalProperties: false
                required: [album]
                properties:
                  album: {type: string}
        default: {$ref: "#/components/responses/Problem"}
  /api/v1/operator/restart:
    post:
      operationId: restart
      summary: End the station for its service manager to start it again; the operator's PIN is needed.
      description: >-
        A save under way is finished first. Refused (409) where no service manager runs the station.
      parameters:
        - {name: X-Retake-Pin, in: header, schema: {type: string}}
      requestBody:
        required: false
        content: {application/json: {schema: {type: object, additionalProperties: false}}}
      responses:
        "204":
          description: The station ends now.
          headers: {Set-Cookie: {$ref: "#/components/headers/OperatorCookie"}}
        default: {$ref: "#/components/responses/Problem"}
  /api/v1/openapi.yaml:
    get:
      operationId: description
      summary: This document.
      responses:
        "200":
          description: It.
          content: {application/yaml: {schema: {type: object}}}
        "304": {description: It has not changed.}
        default: {$ref: "#/components/responses/Problem"}
  /metrics:
    get:
      operationId: metrics
      summary: Counters for Prometheus.
      responses:
        "200":
          description: Its text format.
          content: {text/plain: {schema: {type: string}}}
        default: {$ref: "#/components/responses/Problem"}
  /healthz:
    get:
      operationId: alive
      summary: Whether the server answers.
      security: []
      responses:
        "200":
          description: It does.
          content: {text/plain: {schema: {type: string}}}
        default: {$ref: "#/components/responses/Problem"}

components:
  headers:
    OperatorCookie:
      description: >-
        For a browser that has sent the right PIN. The cookie opens nothing by itself; with it the
        PIN is still heard while others have used up the guesses (429).
      schema: {type: string}
  securitySchemes:
    token: {type: http, scheme: bearer}
    cookie: {type: apiKey, in: cookie, name: retake-token}
  parameters:
    Photo:
      name: id
      in: path
      required: true
      description: A photo's `id`, percent-encoded as a whole.
      schema: {type: string, minLength: 1, maxLength: 1024, pattern: "^[^\\x00-\\x1f\\x7f]+$"}
  requestBodies:
    Command:
      required: false
      content:
        application/json:
          schema:
            type: object
            additionalProperties: false
            properties:
              session: {$ref: "#/components/schemas/OptionalSession"}
    Item:
      required: true
      content:
        application/json:
          schema:
            type: object
            additionalProperties: false
            required: [item]
            properties:
              session: {$ref: "#/components/schemas/OptionalSession"}
              item: {type: string, minLength: 1, maxLength: 1024}
  responses:
    Problem:
      description: The request was not met.
      content: {application/problem+json: {schema: {$ref: "#/components/schemas/Problem"}}}
  schemas:
    OptionalSession:
      description: The session that is meant; a stale one changes nothing.
      type: [integer, "null"]
      minimum: 1
      maximum: 9007199254740991
    Problem:
      type: object
      additionalProperties: false
      required: [type, title, status, detail]
      properties:
        type: {type: string, const: "about:blank"}
        title: {type: string}
        status: {type: integer, minimum: 400, maximum: 599}
        detail: {type: string}
        fix: {type: string}
        code: {type: string}
    Photo:
      type: object
      additionalProperties: false
      required: [id, album, name, width, height, bytes, taken, kind]
      properties:
        id: {type: string}
        album: {type: string}
        name: {type: string}
        width: {type: integer, minimum: 0}
        height: {type: integer, minimum: 0}
        bytes: {type: integer, minimum: 0}
        taken: {type: [string, "null"], format: date-time}
        kind: {type: string, enum: [image, movie]}
        durationMs: {type: integer, minimum: 0, description: Of a movie; missing while it is not known.}
    Box:
      type: object
      additionalProperties: false
      required: [x, y, width, height]
      properties:
        x: {type: integer}
        y: {type: integer}
        width: {type: integer}
        height: {type: integer}
    Labels: {type: array, items: {type: string}}
    State:
      type: object
      additionalProperties: false
      required: [number, instance, version, state, session, presentation, showsCameraControls,
                 source, allowsEditing, selectionLimit, remainingMs, totalMs, atEnd, candidate,
                 media, captureMode, slow, edit, item, selection, trouble, lastPhoto, camera, preview, controls, panel,
                 settings, pinRequired, isMovie]
      properties:
        number: {type: integer, minimum: 1}
        instance: {type: string}
        version: {type: string}
        state:
          type: string
          enum: [idle, live, countdown, capturing, recording, reviewing, saving, browsing, editing, finished,
                 cancelled, failed]
        session: {type: [integer, "null"], minimum: 1}
        presentation: {type: string, enum: [fullScreen, sheet, popover, headless]}
        showsCameraControls: {type: boolean}
        source: {type: [string, "null"], enum: [camera, photoLibrary, savedPhotosAlbum, null]}
        allowsEditing: {type: boolean}
        selectionLimit: {type: integer, minimum: 0}
        remainingMs: {type: [integer, "null"], minimum: 0}
        totalMs: {type: [integer, "null"], minimum: 0}
        atEnd: {type: [string, "null"], enum: [accept, cancel, null]}
        candidate: {type: [integer, "null"], minimum: 1}
        isMovie: {type: boolean, description: Whether a movie is recorded or under review.}
        media:
          description: What the session may take, or what may be chosen in it.
          type: array
          items: {type: string, enum: [image, movie]}
        captureMode: {type: string, enum: [photo, video], description: What the shutter takes.}
        slow: {type: boolean}
        edit:
          oneOf:
            - {type: "null"}
            - type: object
              additionalProperties: false
              required: [crop, quarterTurns]
              properties:
                crop: {oneOf: [{type: "null"}, {$ref: "#/components/schemas/Box"}]}
                quarterTurns: {type: integer, minimum: 0, maximum: 3}
        frames:
          description: The frames around the press that the photo under review can be made of, oldest first.
          oneOf:
            - {type: "null"}
            - type: object
              additionalProperties: false
              required: [offsetsMs, nearest, chosen, ready]
              properties:
                offsetsMs:
                  description: How much later than the wanted moment each was taken; below 0, earlier.
                  type: array
                  minItems: 2
                  maxItems: 5
                  items: {type: number}
                nearest: {type: integer, description: The index of the one that is kept where nobody chooses.}
                chosen: {type: integer, description: The index of the one that an accept keeps.}
                ready: {type: boolean, description: Whether the photo of the chosen one can be fetched.}
        item: {type: [string, "null"]}
        selection: {type: array, items: {type: string}}
        trouble:
          oneOf:
            - {type: "null"}
            - type: object
              additionalProperties: false
              required: [kind, code, guest, trying, retryMs]
              properties:
                kind: {type: string, enum: [camera, storage, library, fault]}
                code: {type: string}
                guest: {type: string}
                trying: {type: [string, "null"]}
                retryMs: {type: [integer, "null"], minimum: 0}
                operator:
                  type: object
                  additionalProperties: false
                  required: [reason]
                  properties:
                    reason: {type: string}
                    fix: {type: string}
        lastPhoto:
          oneOf:
            - {type: "null"}
            - type: object
              additionalProperties: false
              required: [id, name, path]
              properties:
                id: {type: string}
                name: {type: string}
                path: {type: string}
        camera:
          type: object
          additionalProperties: false
          required: [name, state, width, height]
          properties:
            name: {type: string}
            state:
              type: string
              enum: [stopped, starting, streaming, no-signal, stalled, absent, busy, denied, failed]
            width: {type: integer, minimum: 0}
            height: {type: integer, minimum: 0}
        preview:
          oneOf:
            - {type: "null"}
            - type: object
              additionalProperties: false
              required: [turns, mirrored, crop, frame]
              properties:
                turns: {type: integer, minimum: 0, maximum: 3}
                mirrored: {type: boolean}
                crop: {$ref: "#/components/schemas/Box"}
                frame:
                  type: object
                  additionalProperties: false
                  required: [width, height]
                  properties:
                    width: {type: integer}
                    height: {type: integer}
        controls:
          type: object
          additionalProperties: {$ref: "#/components/schemas/Labels"}
        panel:
          description: The panel's buttons whose colours are configured, as they lie there.
          type: array
          items:
            type: object
            additionalProperties: false
            required: [name, role, inReview, colour, column, row, lamp]
            properties:
              name: {type: string}
              role: {type: string, enum: [shutter, record, accept, retake, next, previous, cancel, shutdown, one]}
              inReview: {type: [string, "null"], description: What a short press of the role `one` does.}
              colour: {type: string, enum: [red, orange, yellow, green, blue, white, black]}
              column: {type: [integer, "null"], minimum: 1, maximum: 8}
              row: {type: integer, minimum: 1, maximum: 8}
              lamp: {type: [string, "null"], enum: [ready, countdown, saved, error, null]}
        settings:
          type: object
          additionalProperties: false
          required: [language, sounds, slideshow, gallery, lens, fillLight, title, countdownSeconds,
                     reviewSeconds, modes, movieSeconds]
          properties:
            language: {type: string}
            sounds: {type: boolean}
            slideshow: {type: boolean}
            gallery: {type: boolean, description: Whether guests can look through the saved photos.}
            lens: {type: string, enum: [top, right, bottom, left]}
            fillLight: {type: boolean, description: Whether the screen lights the face.}
            title: {type: [string, "null"]}
            countdownSeconds: {type: number, minimum: 0}
            reviewSeconds: {type: number, minimum: 0}
            modes:
              description: What can be taken now.
              type: array
              items: {type: string, enum: [photo, movie]}
            movieSeconds: {type: [number, "null"], description: The longest movie., minimum: 0}
        pinRequired: {type: boolean}
    Notice:
      type: object
      additionalProperties: false
      required: [kind, code, message]
      properties:
        kind: {type: string, enum: [refused, saveIsSlow, movieCutShort]}
        code: {type: [string, "null"]}
        message: {type: string}

"""##),
  ]
}
