// The operator's view and commands: the station's health, a test shot, photos to delete, the next
// album, a restart.
import { $, make, write } from "./dom.js";
import { check, silence } from "./operator.js";
import { original, thumbnail } from "./slides.js";
import { has, language, more, t } from "./text.js";

const DIGITS = 32;
const LEAVE = 90000;
const PAGE = 24;

/** The keys of the names of the station's parts in the language files. */
const NAMES = { camera: "staff.camera", library: "staff.library", copy: "staff.copies", button: "staff.buttons" };
function part(name) {
  const [kind, ...rest] = name.split(" ");
  return kind in NAMES ? [t(NAMES[kind]), ...rest].join(" ") : name;
}

/** Returns the name of a state in the operator's language. */
const state = (name) => (has(`staff.state.${name}`) ? t(`staff.state.${name}`) : name);

/** Creates a button with words. */
function button(key, act, className = "choice") {
  const made = make("button", { type: "button", className }, make("span", { className: "name", textContent: t(key) }));
  made.addEventListener("click", act);
  return made;
}

/** What to do, in the operator's language where it is a common thing. */
function remedy({ code, fix }) {
  const key = `staff.fix.${code}`;
  const words = code && fix && language() !== "en" && has(key) ? t(key) : fix;
  return words && t("staff.fix", { fix: words });
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
    // A PIN has four or more.
    write($("pin-dots"), "●".repeat(this.#entered.length).padEnd(4, "○"));
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

  /** Returns the station's answer; null if the station needs another PIN. */
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

  /** Sends a command and shows its result; returns the answer if the command succeeded. */
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
      // The part itself knows the kind of fix.
      const part = { camera: "camera", storage: "library" }[this.#station.state.trouble.kind];
      const code = wrong.find(({ name }) => name === part)?.code;
      wrong.unshift({ name: t("staff.now"), ok: false, detail: now.reason, fix: now.fix, code });
    }
    for (const detail of [rest.status?.configurationProblem, rest.status?.refusedConfiguration]) {
      if (detail) wrong.unshift({ name: t("staff.configuration"), ok: false, detail });
    }
    const boxes = wrong.length ? wrong : [{ name: t("staff.well"), ok: true }];
    parts.checks.replaceChildren(...boxes.map((one) => check({ ...one, name: part(one.name), fix: remedy(one) })));
    this.#bytes ??= await this.#usualSize();
    parts.facts.replaceChildren(...this.#facts(rest).flatMap(([name, value]) =>
      [make("dt", { textContent: t(name) }), make("dd", { textContent: value })]));
    parts.faults.replaceChildren(...(faults.length ? faults.map((one) => this.#fault(one))
      : [make("p", { textContent: t("staff.faults.none") })]));
    parts.raw.replaceChildren(...[...flat({ checks, ...rest })].flatMap(([name, value]) =>
      [make("dt", { textContent: name }), make("dd", { textContent: value })]));
    this.#view.scrollTop = place;
  }

  /** Returns the facts for the operator, as pairs of a word and a value. */
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

  #fault({ source, reason, fix, code, secondsAgo, lasted }) {
    const how = lasted == null ? t("staff.faults.now") : t("staff.faults.lasted", { time: span(lasted) });
    return check({ name: `${ago(secondsAgo)} · ${how}`, ok: lasted != null, detail: source === "guests" ? reason : `${part(source)}: ${reason}`,
      fix: remedy({ code, fix }) });
  }

  /** Returns the mean size of the last photos; 0 if there are none. */
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

  /** Asks for confirmation before a command. */
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

/** Draws lines of thirds, and marks the size and place for a head. */
function guide() {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  for (const [name, values] of Object.entries({ viewBox: "0 0 300 300", preserveAspectRatio: "none", "aria-hidden": "true" })) svg.setAttribute(name, values);
  const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
  path.setAttribute("d", "M100 0v300M200 0v300M0 100h300M0 200h300M150 40a55 75 0 1 0 .1 0");
  svg.append(path);
  return svg;
}

const count = (value) => new Intl.NumberFormat(language()).format(value);

/** Returns a number of bytes in words. */
function size(bytes) {
  const units = ["byte", "kilobyte", "megabyte", "gigabyte", "terabyte"];
  const step = Math.min(4, Math.floor(Math.log10(Math.max(1, bytes)) / 3));
  return new Intl.NumberFormat(language(), { style: "unit", unit: units[step], maximumFractionDigits: step > 2 ? 1 : 0 })
    .format(bytes / 1000 ** step);
}

/** Returns the number and the name of the largest unit that the seconds fill. */
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
