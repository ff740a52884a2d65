// Timers of the page: bars, seconds, and the countdown's number. The station's times are relative
// to the state they came with, so a wrong clock on either side does not matter.
import { isCalm } from "./dom.js";

/** Returns the end of the state's time, by performance.now(); null if there is none. */
export const deadline = (state) =>
  state?.remainingMs == null ? null : state.received + state.remainingMs;

/** Shrinks a bar from the remaining time to nothing; an `end` of null empties it. */
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

/** Fills a ring until `end`; null empties it. Each half of the ring takes half of the time. */
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

/** Calls back with the whole seconds left, at each change, until the next `start`. */
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
    // The end is the same except for the transport's jitter, so the countdown continues.
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

  /** Says the same seconds once more, in other words. */
  again() {
    if (this.#said !== null) this.#call(this.#said);
  }

  #tick() {
    const left = this.#end - performance.now();
    const seconds = Math.max(0, Math.ceil(left / 1000 - 0.02));
    if (seconds !== this.#said) this.#call((this.#said = seconds));
    if (left <= 0) return;
    this.#timer = setTimeout(() => this.#tick(), Math.max(15, left - (seconds - 1) * 1000));
  }
}

/** Animates an element from its old place to its new one, with a transform only. */
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
