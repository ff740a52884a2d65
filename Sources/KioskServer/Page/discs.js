// The booth's panel on the screen, for guests who do not read. Each button of a known colour is a
// disc at the button's place, with a symbol for its present function, and blinks with the button's
// lamp.
import { all, isCalm, make } from "./dom.js";
import { deadline } from "./timers.js";

/** The functions of buttons on each screen, as symbols. */
const CAMERA = { shutter: "i-camera", record: "i-record" };
const MEANINGS = {
  attract: CAMERA, saved: CAMERA, failed: CAMERA, cancelled: CAMERA,
  countdown: { cancel: "i-cross" },
  recording: { shutter: "i-stop", record: "i-stop", cancel: "i-cross" },
  review: { accept: "i-check", retake: "i-retake", cancel: "i-bin" },
  library: { accept: "i-check", cancel: "i-cross" },
};

let panel = [];
let timer = null;

/** Returns the function of a button on a screen. */
const role = (button, screen) => (button.role !== "one" ? button.role : screen === "review" ? button.inReview : "shutter");

/** Returns the panel as an element, with the buttons of `action` lit; null if no button has a known colour. */
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

/** Lights the discs like the lamps, from now on. */
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

/** Returns whether a lamp is lit, and until when, by the same rules as `LampPattern`. */
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
