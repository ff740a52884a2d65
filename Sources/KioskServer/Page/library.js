// The grid of saved photos, for picking several in an order, or for looking at all.
import { $, all, clock, make, write } from "./dom.js";
import { language, t } from "./text.js";
import { original, thumbnail } from "./slides.js";
import { Viewer } from "./viewer.js";

const PAGE = 60;
/** The time after which untouched photos are closed. */
const STAY = 60000;

export class Library {
  #station; #changed;
  #viewer = new Viewer();
  #photos = [];
  #open = false;
  #stay = null;
  #grid = $("library-grid");
  #scroll = $("library-scroll");
  #session = null;
  #next = null;
  #loading = false;
  #seen = 0;
  #place = 0;
  #on = false;
  #focused = null;

  constructor(station, changed) {
    this.#station = station;
    this.#changed = changed;
    this.#grid.addEventListener("click", ({ target }) => {
      const tile = target.closest(".cell")?.firstElementChild;
      if (tile && (this.#open || target.closest(".look"))) this.#look(tile);
      else if (tile) this.#toggle(tile.dataset.item);
    });
    $("photos").addEventListener("click", () => this.open());
    for (const name of ["pointerdown", "keydown"]) addEventListener(name, () => this.#open && this.#wait(), { passive: true });
    this.#grid.addEventListener("keydown", (event) => this.#walk(event));
    this.#grid.addEventListener("focusin", (event) => (this.#focused = event.target.closest(".tile")));
    this.#scroll.addEventListener("scroll", () => {
      this.#place = this.#scroll.scrollTop;
      this.#more();
    }, { passive: true });
    $("library-edit").addEventListener("click", () => this.edit());
  }

  /** Whether a guest looks through the photos without a session. */
  get isOpen() {
    return this.#open;
  }

  /** Opens the photos for looking. */
  open() {
    this.#open = true;
    this.#wait();
    this.#changed();
  }

  /** Closes the photos; returns false if they are not open. */
  leave() {
    if (!this.#open) return false;
    this.#open = false;
    this.#changed();
    return true;
  }

  #wait() {
    clearTimeout(this.#stay);
    this.#stay = setTimeout(() => this.leave(), STAY);
  }

  #look(tile) {
    const index = this.#photos.findIndex((photo) => photo.id === tile.dataset.item);
    this.#viewer.open(this.#photos, index, this.#open ? null : (id) => this.#toggle(id));
  }

  /** Shows the library of `state`, or hides it with null; its position is kept while a photo is cropped. */
  show(state, any) {
    const on = state !== null;
    if (!on) {
      this.#on = this.#open = false;
      clearTimeout(this.#stay);
      this.#viewer.close();
      if (any && !["browsing", "editing"].includes(any.state)) this.#empty();
      return;
    }
    const key = `${state.instance}:${state.session}`;
    if (key !== this.#session) {
      this.#empty();
      this.#session = key;
      this.#load();
    }
    if (!this.#on) {
      this.#scroll.scrollTop = this.#place;
      this.#focused?.isConnected && this.#focused.focus({ preventScroll: true });
    }
    this.#on = true;
    this.#mark(state);
  }

  /** Opens the crop box for the photo that was chosen last. */
  edit() {
    const item = this.#station.state?.selection?.at(-1);
    if (item) this.#station.send("editor", { item }).catch(() => {});
  }

  #empty() {
    if (this.#session === null) return;
    this.#session = this.#next = this.#focused = null;
    this.#seen = this.#place = 0;
    this.#photos = [];
    this.#grid.replaceChildren();
    $("library-empty").hidden = $("library-unshown").hidden = true;
  }

  async #load(cursor) {
    if (this.#loading) return;
    this.#loading = true;
    const session = this.#session;
    try {
      const before = cursor ? `&before=${encodeURIComponent(cursor)}` : "";
      const answer = await fetch(`/api/v1/photos?limit=${PAGE}${before}`, { signal: AbortSignal.timeout(8000) });
      if (!answer.ok) throw new Error(`photos: ${answer.status}`);
      const { photos, next, unshown, omitted } = await answer.json();
      if (session !== this.#session) return;
      this.#next = next;
      // A session that takes pictures only cannot use movies.
      const movies = this.#open || (this.#station.state?.media ?? []).includes("movie");
      const offered = photos.filter((photo) => movies || photo.kind !== "movie");
      this.#photos.push(...offered);
      this.#grid.append(...offered.map((photo) => this.#tile(photo)));
      $("library-empty").hidden = this.#grid.childElementCount > 0 || next !== null;
      // The notice is after all pages, where a guest looks for a missing photo.
      const missing = [];
      if (next === null && omitted > 0) missing.push(t("library.omitted", { n: omitted }));
      if (next === null && unshown?.count > 0) missing.push(t("library.unshown", { n: unshown.count, formats: unshown.formats.join(", ") }));
      write($("library-unshown"), missing.join("\n"));
      $("library-unshown").hidden = !missing.length;
      if (!cursor && document.activeElement?.dataset.screen === "library") {
        this.#grid.querySelector(".tile")?.focus({ preventScroll: true });
      }
      this.#mark(this.#station.state);
    } catch {
      setTimeout(() => session === this.#session && this.#load(cursor), 1500);
    } finally {
      this.#loading = false;
      if (session !== this.#session && this.#session !== null && !this.#seen) this.#load();
      else this.#more();
    }
  }

  #more() {
    const { scrollTop, clientHeight, scrollHeight } = this.#scroll;
    if (this.#on && this.#next && !this.#loading && scrollTop + 2 * clientHeight > scrollHeight) {
      this.#load(this.#next);
    }
  }

  #tile(photo) {
    const number = ++this.#seen;
    const taken = new Date(photo.taken);
    const time = isNaN(taken) ? "" : taken.toLocaleTimeString(language(), { hour: "numeric", minute: "2-digit" });
    const label = t("library.photo", { n: number, time });
    const look = make("button", { type: "button", className: "look", "aria-label": t("view.open", { label }) });
    const tile = make("button", { type: "button", className: "tile", "data-item": photo.id },
      make("img", { alt: "", loading: "lazy", decoding: "async", src: thumbnail(photo.id) }),
      make("span", { className: "order", "aria-hidden": "true" }));
    tile.setAttribute("aria-label", label);
    look.innerHTML = '<svg aria-hidden="true"><use href="#i-look"/></svg>';
    if (photo.kind === "movie") {
      const length = photo.durationMs ? clock(Math.round(photo.durationMs / 1000)) : "";
      tile.dataset.kind = "movie";
      look.replaceChildren(make("span", { className: "length", textContent: `▶ ${length}`.trim() }));
      tile.setAttribute("aria-label", t("movie.tile", { n: number, time, length }));
      look.setAttribute("aria-label", t("view.open", { label: tile.ariaLabel }));
      // A movie without a thumbnail shows its first picture, if the browser plays it.
      const image = tile.firstElementChild;
      image.onerror = () => image.replaceWith(make("video", {
        src: `${original(photo.id)}#t=0.001`, preload: "metadata", muted: true, playsInline: true, tabIndex: -1 }));
    }
    return make("div", { className: "cell" }, tile, look);
  }

  #mark(state) {
    if (!state || !this.#on) return;
    const chosen = state.selection ?? [], limit = state.selectionLimit;
    for (const tile of all(".tile", this.#grid)) {
      const place = chosen.indexOf(tile.dataset.item);
      const pressed = String(place >= 0);
      if (!this.#open && tile.getAttribute("aria-pressed") !== pressed) tile.setAttribute("aria-pressed", pressed);
      write(tile.lastElementChild, place < 0 ? "" : limit === 1 ? "✓" : String(place + 1));
    }
    const many = limit !== 1;
    this.#viewer.mark(chosen);
    $("library-use").hidden = this.#open;
    write($("library-cancel"), t(this.#open ? "close" : "cancel"));
    write($("library-title"), t(this.#open ? "photos" : many ? "library.several" : "library.one"));
    write($("library-count"), !many ? "" : limit > 0 ? t("library.of", { n: chosen.length, limit })
      : t("library.chosen", { n: chosen.length }));
    write($("library-use-name"), many && chosen.length ? t("library.use", { n: chosen.length }) : t("review.use"));
    $("library-use").setAttribute("aria-disabled", String(chosen.length === 0));
    const last = all(".tile", this.#grid).find((tile) => tile.dataset.item === chosen.at(-1));
    $("library-edit").hidden = !(state.allowsEditing && chosen.length > 0 && last?.dataset.kind !== "movie");
  }

  #toggle(item) {
    const command = this.#station.state?.selection?.includes(item) ? "deselect" : "select";
    this.#station.send(command, { item }).catch(() => {});
  }

  #walk(event) {
    const tiles = all(".tile", this.#grid);
    const at = tiles.indexOf(document.activeElement);
    if (at < 0) return;
    const row = (tile) => tile.getBoundingClientRect().top;
    const columns = tiles.filter((tile) => row(tile) === row(tiles[0])).length;
    const steps = {
      ArrowRight: 1, ArrowLeft: -1, ArrowDown: columns, ArrowUp: -columns, Home: -at, End: tiles.length - 1 - at,
    };
    if (!(event.key in steps)) return;
    event.preventDefault();
    const to = tiles[Math.max(0, Math.min(tiles.length - 1, at + steps[event.key]))];
    to.focus();
    to.scrollIntoView({ block: "nearest" });
  }
}
