// Small helpers for the document.

/** Returns the element with an id. */
export const $ = (id) => document.getElementById(id);

/** Returns all elements that match a selector. */
export const all = (selector, root = document) => [...root.querySelectorAll(selector)];

/** Creates an element; properties named "data-…", "aria-…" or "role" become attributes. */
export function make(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (/^(data-|aria-|role$)/.test(name)) element.setAttribute(name, value);
    else element[name] = value;
  }
  element.append(...children);
  return element;
}

/** Writes text only if it changed, so that nothing is laid out or announced twice. */
export function write(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** Returns seconds in the form 0:05. */
export const clock = (seconds) => `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, "0")}`;

/** Returns whether the guest's system asks for less movement. */
export const isCalm = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

/** Resolves after a number of milliseconds, or at once when `signal` aborts. */
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
