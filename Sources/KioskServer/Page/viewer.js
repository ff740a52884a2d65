// Shows one photo or movie of the library in large, with its neighbours.
import { $, write } from "./dom.js";
import { Player } from "./player.js";
import { original, thumbnail } from "./slides.js";
import { t } from "./text.js";

/** Photos with more pixels are shown as thumbnails, because a small Pi lacks the memory for them. */
const MOST = 24e6;
/** The distance that a finger must move to turn to the next photo. */
const SWIPE = 50;

export class Viewer {
  #dialog = $("viewer");
  #image = $("viewer-image");
  #player = new Player($("viewer-movie"), $("viewer-pictures"));
  #photos = [];
  #at = 0;
  #toggle = null;
  #chosen = null;

  constructor() {
    $("viewer-before").addEventListener("click", () => this.#turn(-1));
    $("viewer-after").addEventListener("click", () => this.#turn(1));
    $("viewer-choose").addEventListener("click", () => this.#toggle?.(this.#photos[this.#at].id));
    this.#dialog.addEventListener("close", () => {
      this.#player.stop();
      this.#image.removeAttribute("src");
    });
    this.#dialog.addEventListener("keydown", ({ key }) => {
      if (key === "ArrowLeft" || key === "ArrowRight") this.#turn(key === "ArrowLeft" ? -1 : 1);
    });
    let from = null;
    $("stage").addEventListener("pointerdown", (event) => (from = event.clientX));
    $("stage").addEventListener("pointerup", (event) => {
      const far = event.clientX - (from ?? event.clientX);
      if (Math.abs(far) > SWIPE) this.#turn(far > 0 ? -1 : 1);
    });
  }

  /** Shows the photo at `index`; `toggle` chooses or unchooses it, null if nothing can be chosen. */
  open(photos, index, toggle) {
    this.#photos = photos;
    this.#at = index;
    this.#toggle = toggle;
    $("viewer-choose").hidden = !toggle;
    this.#dialog.showModal();
    this.#show();
  }

  close() {
    if (this.#dialog.open) this.#dialog.close();
  }

  /** Marks the chosen photos. */
  mark(chosen) {
    this.#chosen = chosen;
    const pressed = chosen.includes(this.#photos[this.#at]?.id);
    $("viewer-choose").setAttribute("aria-pressed", String(pressed));
    // As the tiles are: what is chosen is amber.
    $("viewer-choose").classList.toggle("accept", pressed);
    $("viewer-choose-sign").setAttribute("href", pressed ? "#i-check" : "#i-plus");
    write($("viewer-choose-name"), t(pressed ? "view.chosen" : "view.choose"));
  }

  #turn(step) {
    const to = this.#at + step;
    if (!(to in this.#photos)) return;
    this.#at = to;
    this.#show();
  }

  async #show() {
    const photo = this.#photos[this.#at], image = this.#image, movie = photo.kind === "movie";
    write($("viewer-title"), `${this.#at + 1} / ${this.#photos.length}`);
    $("viewer-before").disabled = this.#at === 0;
    $("viewer-after").disabled = this.#at === this.#photos.length - 1;
    this.mark(this.#chosen ?? []);
    image.alt = t(movie ? "movie.label" : "review.label");
    for (const one of [$("viewer-movie"), $("viewer-pictures")]) one.setAttribute("aria-label", t("movie.label"));
    image.src = movie || photo.width * photo.height > MOST ? thumbnail(photo.id) : original(photo.id);
    image.hidden = false;
    this.#player.stop();
    // The thumbnail stays if the movie cannot be loaded.
    if (movie && await this.#player.play(original(photo.id))) image.hidden = true;
  }
}
