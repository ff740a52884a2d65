// The operator's view, behind a long press and the PIN. Guests never see it, so its file and words
// are loaded only when it is opened.
import { $, make } from "./dom.js";
import { t } from "./text.js";

/** Creates the box of one check, good or bad. */
export function check({ name, ok, detail, fix }) {
  const head = make("b", { innerHTML: `<svg aria-hidden="true"><use href="#i-${ok ? "check" : "warn"}"/></svg>` }, make("span", { textContent: name }));
  const box = make("div", { className: ok ? "check" : "check bad" }, head);
  if (detail) box.append(make("p", { textContent: detail }));
  if (fix) box.append(make("p", { className: "fix", textContent: fix }));
  return box;
}

/** Creates the box for a station that does not answer. */
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
      // The file cannot be loaded, either.
      this.#view = null;
      $("pin").hidden = true;
      $("operator-view").hidden = false;
      $("operator-view").replaceChildren(silence());
      if (!$("operator").open) $("operator").showModal();
    }
  }
}
