// Assembles the page.
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
/** The crop box, whose file is loaded for the first session that needs it. */
const editor = { isOpenFor: () => false, show() {}, openReview() {}, back() {} };
let cropping = null;

function settleEditor({ allowsEditing }) {
  if (allowsEditing) {
    cropping ??= import("./editor.js").then(({ Editor }) => {
      const real = new Editor(station, () => screens.update());
      for (const name of Object.keys(editor)) editor[name] = (...given) => real[name](...given);
      // A further button moves the others.
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

/** Returns the language: the guest's choice, else the address's, the configuration's or the browser's. */
async function settleLanguage() {
  const code = resolve(chosen ?? fixed ?? station.state?.settings?.language);
  if (code === wanted) return;
  wanted = code;
  if (!(await use(code))) wanted = null;
  write($("language-name"), languages[language()]);
  screens.update(true);
}

/** Reloads the page for a new version of the station, while the booth is unused. */
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
  // The next guest must not inherit the previous guest's language.
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

// Until the station's first answer no event updates the page; "starting" is shown after a second.
setTimeout(() => screens.update(), 1100);
await settleLanguage();
station.start(() => screens.name);
document.documentElement.dataset.ready = "yes";
