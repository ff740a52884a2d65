// The frames around the press, of which the guest can keep another one than the nearest.
import { $, make, write } from "./dom.js";
import { t } from "./text.js";

export class Strip {
  #station;
  #shown = null;
  #buttons = [];

  constructor(station) {
    this.#station = station;
  }

  /** Shows the frames that the review offers; hides the strip if there are none. */
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

  /** Chooses another frame for an arrow key; returns false for other keys. */
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
