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
    // The attract screen has no button for the operator's view, which opens when the headline is held.
    this.#hold($("attract-title"), 3000);
    addEventListener("keydown", (event) => this.#key(event));
  }

  /** Sends a command if the screen allows it. */
  async command(name) {
    if (name === "cancel" && this.#library.leave()) return;
    const { state } = this.#station;
    if (!state || !this.#station.connected) return;
    if (name === "accept" && this.#screens.name === "review" && performance.now() < this.#screens.armedAt) return;
    if (name === "accept" && this.#screens.name === "library" && !state.selection?.length) {
      return this.#screens.toast(t("reason.nothingSelected"));
    }
    rest();
    // A press on an end screen begins the next guest's session, so it must not name the ended one.
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

  /** Shows focus and keys depending on the guest's kind of input. */
  #uses(input) {
    const { dataset } = document.documentElement;
    if (dataset.input === input) return;
    dataset.input = input;
    this.#screens.update();
  }

  /** Extends the session, because a guest who touches the screen is still there. */
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

  /** Makes the picture itself a button, which starts a session or continues it. */
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
    // A screen reader clicks without a press, so it cannot hold a button.
    element.addEventListener("click", (event) => {
      if (element.matches("button") && event.detail === 0) this.#operator.open();
      else if (element.matches("button")) write($("announcer"), t("staff.hold"));
    });
  }

  #key(event) {
    if (event.ctrlKey || event.altKey || event.metaKey || document.querySelector("dialog[open]")) return;
    this.#uses("keyboard");
    // A key that is held while the screen changes must not press a button of the new screen.
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

  /** Moves between choices with the arrow keys, and sideways between the frames of a review. */
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
