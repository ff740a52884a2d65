// Saved photos on the attract screen, one after the other, and the gallery behind dialogs.
import { $, all, isCalm, make } from "./dom.js";

const EACH = 6000;

/** Returns the newest photos that are pictures. */
export async function newest(limit) {
  const answer = await fetch(`/api/v1/photos?limit=${limit}`, { signal: AbortSignal.timeout(5000) });
  if (!answer.ok) throw new Error(`photos: ${answer.status}`);
  return (await answer.json()).photos.filter((photo) => photo.kind !== "movie");
}

/** Returns the address of a photo's thumbnail. */
export const thumbnail = (id) => `/api/v1/photos/${encodeURIComponent(id)}/thumbnail.jpg`;
/** Returns the address of a photo's file. */
export const original = (id) => `/api/v1/photos/${encodeURIComponent(id)}/original`;

export class Slides {
  #box = $("slides");
  #timer = null;
  #photos = [];
  #next = 0;
  #turn = 0;

  /** Starts or stops the slides; while they are stopped, nothing is loaded and no picture is held. */
  show(wanted) {
    if (wanted === (this.#timer !== null)) return;
    if (wanted) {
      this.#timer = setInterval(() => this.#step(), EACH);
      this.#photos = [];
      this.#step();
    } else {
      clearInterval(this.#timer);
      this.#timer = null;
      this.#box.hidden = true;
      for (const image of all("img", this.#box)) this.#empty(image);
    }
  }

  #empty(image) {
    image.classList.remove("on");
    image.removeAttribute("src");
  }

  async #step() {
    try {
      if (this.#next >= this.#photos.length) {
        this.#photos = await newest(24);
        this.#next = 0;
      }
      const photo = this.#photos[this.#next++];
      if (!photo || this.#timer === null) return;
      const images = all("img", this.#box);
      const incoming = images[this.#turn ^= 1], outgoing = images[this.#turn ^ 1];
      // A large original would exceed a small Pi's memory, so its thumbnail is shown.
      incoming.src = photo.width * photo.height <= 9e6 ? original(photo.id) : thumbnail(photo.id);
      await incoming.decode();
      if (this.#timer === null) return this.#empty(incoming);
      this.#box.hidden = false;
      incoming.classList.add("on");
      outgoing.classList.remove("on");
      setTimeout(() => outgoing.classList.contains("on") || this.#empty(outgoing), isCalm() ? 0 : 1500);
    } catch {
      this.#photos = [];
    }
  }
}

/** Fills or empties the gallery behind a sheet or a popover. */
export async function gallery(wanted) {
  const box = $("gallery");
  if (wanted === !box.hidden) return;
  box.hidden = !wanted;
  if (!wanted) return box.replaceChildren();
  const photos = await newest(40).catch(() => []);
  if (!box.hidden) {
    box.replaceChildren(...photos.map((photo) => make("img", { alt: "", src: thumbnail(photo.id) })));
  }
}
