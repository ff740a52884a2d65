// The operator's view: reason and fix of what is wrong, behind a long press and the PIN.
import { $, make, write } from "./dom.js";
import { t } from "./text.js";

const DIGITS = 12;
const LEAVE = 90000;

export class Operator {
  #station;
  #dialog = $("operator");
  #pin = "";
  #entered = "";
  #timer = null;
  #used = 0;

  constructor(station) {
    this.#station = station;
    for (const key of ["1", "2", "3", "4", "5", "6", "7", "8", "9", "⌫", "0", "✓"]) {
      const label = key === "⌫" ? t("operator.erase") : key === "✓" ? t("done") : key;
      const button = make("button", { type: "button", textContent: key, "aria-label": label });
      if (key === "⌫") button.dataset.label = "operator.erase";
      if (key === "✓") button.dataset.label = "done";
      button.addEventListener("click", () => this.#key(key));
      $("pin-pad").append(button);
    }
    this.#dialog.addEventListener("keydown", (event) => {
      if ($("pin").hidden || event.ctrlKey || event.metaKey) return;
      if (/^\d$/.test(event.key)) this.#key(event.key);
      else if (event.key === "Backspace") this.#key("⌫");
      else if (event.key === "Enter" && !event.target.closest("[data-close], .pad")) this.#key("✓");
    });
    this.#dialog.addEventListener("pointerdown", () => (this.#used = performance.now()));
    this.#dialog.addEventListener("close", () => this.#closed());
  }

  open() {
    if (this.#dialog.open) return;
    this.#pin = this.#entered = "";
    this.#used = performance.now();
    const needed = this.#station.state?.pinRequired === true;
    this.#ask(needed);
    this.#dialog.showModal();
    (needed ? $("pin") : $("operator-view")).focus();
    if ($("pin").hidden) this.#refresh();
    this.#timer = setInterval(() => {
      if (performance.now() - this.#used > LEAVE) this.#dialog.close();
      else if ($("pin").hidden) this.#refresh();
    }, 2000);
  }

  #closed() {
    clearInterval(this.#timer);
    this.#pin = this.#entered = "";
    $("operator-view").replaceChildren();
  }

  #ask(needed) {
    $("pin").hidden = !needed;
    $("operator-view").hidden = needed;
    write($("pin-text"), t("operator.pin"));
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

  async #refresh() {
    let health;
    try {
      const headers = this.#pin ? { "X-Retake-Pin": this.#pin } : {};
      const answer = await fetch("/api/v1/health", { headers, cache: "no-store", signal: AbortSignal.timeout(3000) });
      if (answer.status === 401 || answer.status === 403) {
        this.#ask(true);
        if (this.#pin) write($("pin-text"), t("operator.wrong"));
        this.#pin = "";
        return;
      }
      if (!answer.ok && answer.status !== 503) throw new Error(`health: ${answer.status}`);
      health = await answer.json();
    } catch {
      health = { checks: [{ name: t("operator.station"), ok: false, detail: t("operator.silent", { url: location.origin }),
        fix: "systemctl status retake; journalctl -u retake -n 50" }] };
    }
    if (!this.#dialog.open) return;
    if (!$("pin").hidden) this.#ask(false);
    this.#show(health);
  }

  #show({ checks = [], ...rest }) {
    const view = $("operator-view");
    const now = this.#station.connected ? this.#station.state?.trouble?.operator : null;
    const parts = [];
    if (now) parts.push(this.#check({ name: t("operator.now"), ok: false, detail: now.reason, fix: now.fix }));
    for (const check of Array.isArray(checks) ? checks : []) parts.push(this.#check(check));
    const rows = make("dl");
    for (const [name, value] of flat(rest)) rows.append(make("dt", { textContent: name }), make("dd", { textContent: value }));
    if (rows.childElementCount) parts.push(rows);
    const place = view.scrollTop;
    view.replaceChildren(...parts);
    view.scrollTop = place;
  }

  #check({ name, ok, detail, fix }) {
    const box = make("div", { className: ok ? "check" : "check bad" },
      make("b", { textContent: `${ok ? "✓" : "!"} ${name}` }));
    if (detail) box.append(make("p", { textContent: detail }));
    if (fix) box.append(make("p", { className: "fix", textContent: `${t("operator.fix")}: ${fix}` }));
    return box;
  }
}

function* flat(value, path = "") {
  for (const [name, inner] of Object.entries(value ?? {})) {
    const key = path ? `${path}.${name}` : name;
    if (inner !== null && typeof inner === "object") yield* flat(inner, key);
    else yield [key, String(inner ?? "–")];
  }
}
