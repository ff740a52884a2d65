// The guest's language, with one file each in languages/.
import { all, make, write } from "./dom.js";

/** The available languages in their order, each by its own name. */
export const languages = {
  en: "English", de: "Deutsch", es: "Español", fr: "Français", ja: "日本語", ko: "한국어",
};

const loaded = new Map();
let words = {};
let fallback = {};
let current = "en";

/** The present language. */
export const language = () => current;

/** Returns the sentence for `key`, with {name} filled in; the key itself if no language has it. */
export function t(key, values = {}) {
  const sentence = words[key] ?? fallback[key];
  if (sentence === undefined) return key;
  return sentence.replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);
}

/** Returns whether a language has a sentence for `key`. */
export const has = (key) => (words[key] ?? fallback[key]) !== undefined;

/** Returns the language for a setting: an available one, else the browser's first, else English. */
export function resolve(setting) {
  for (const wanted of [setting, ...navigator.languages]) {
    const code = String(wanted ?? "").toLowerCase().split(/[-_]/)[0];
    if (code in languages) return code;
  }
  return "en";
}

/** Changes the language to `code`; if its file cannot be loaded, the previous language or English stays. */
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

/** Returns a label's words; the station names keys like the kernel ("ESC"), and buttons as configured. */
function keyName(label) {
  const key = `key.${label.toLowerCase().replace(/^key_/, "").replace(/^escape$/, "esc")}`;
  if (has(key)) return t(key);
  return label.length > 1 ? label[0].toUpperCase() + label.slice(1).toLowerCase().replaceAll("_", " ") : label;
}
