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
