// Crop and turn: the guest moves and zooms a box of the photo's own shape by touch, mouse or keys.
import { $, all, isCalm } from "./dom.js";
import { t } from "./text.js";
import { original } from "./slides.js";

const SMALLEST = 0.2;

export class Editor {
  #station; #changed;
  #image = $("editor-image");
  #table = $("turntable");
  #box = $("crop");
  #bench = $("bench");
  #key = null;
  #local = null;
  #on = false;
  #size = null;
  #crop = null;
  #turns = 0;
  #angle = 0;
  #scale = 1;
  #pointers = new Map();
  #corner = null;

  constructor(station, changed) {
    this.#station = station;
    this.#changed = changed;
    this.#bench.addEventListener("pointerdown", (event) => this.#down(event));
    // A drag may leave the bench and end outside it.
    addEventListener("pointermove", (event) => this.#move(event));
    for (const name of ["pointerup", "pointercancel"]) {
      addEventListener(name, (event) => this.#pointers.delete(event.pointerId));
    }
    this.#bench.addEventListener("wheel", (event) => this.#zoom(event.deltaY > 0 ? 1.06 : 1 / 1.06), { passive: true });
    this.#box.addEventListener("keydown", (event) => this.#press(event));
    for (const tool of all("[data-tool]")) tool.addEventListener("click", () => this.#tool(tool.dataset.tool));
    $("editor-done").addEventListener("click", () => this.done());
    $("editor-back").addEventListener("click", () => this.back());
    $("review-edit").addEventListener("click", () => this.openReview());
    new ResizeObserver(() => this.#layout()).observe(this.#bench);
  }

  /** Whether the guest crops the still of this review; the station does not know of it. */
  isOpenFor(state) {
    return this.#local !== null && this.#local === this.#reviewKey(state);
  }

  /** Opens the crop box over the still under review. */
  openReview() {
    const { state } = this.#station;
    if (state?.state !== "reviewing" || !state.allowsEditing || state.isMovie) return;
    this.#local = this.#reviewKey(state);
    this.#changed();
  }

  #reviewKey(state) {
    return `${state.instance}:${state.session}:${state.candidate}`;
  }

  show(state) {
    const review = this.#station.state;
    $("review-edit").hidden = !(review?.state === "reviewing" && review.allowsEditing && !review.isMovie);
    this.#on = state !== null;
    if (!this.#on) {
      this.#key = null;
      this.#pointers.clear();
      if (review?.state !== "reviewing") this.#local = null;
      if (this.#image.hasAttribute("src")) this.#image.removeAttribute("src");
      return;
    }
    const key = state.state === "editing" ? `${state.instance}:${state.session}:${state.item}` : this.#local;
    if (key === this.#key) return;
    this.#key = key;
    this.#open(state);
  }

  async #open(state) {
    const key = this.#key;
    this.#size = null;
    this.#turns = state.edit?.quarterTurns ?? 0;
    this.#angle = this.#turns * 90;
    this.#table.hidden = true;
    this.#image.src = state.state === "editing" ? original(state.item)
      : `/api/v1/review/${state.session}.jpg?candidate=${state.candidate}`;
    this.#image.alt = t("review.label");
    try {
      await this.#image.decode();
    } catch {
      return;
    }
    if (key !== this.#key) return;
    this.#size = { width: this.#image.naturalWidth, height: this.#image.naturalHeight };
    this.#crop = state.edit?.crop ?? { x: 0, y: 0, ...this.#size };
    this.#table.hidden = false;
    this.#layout();
    if (document.activeElement?.dataset.screen === "editor") this.#box.focus({ preventScroll: true });
  }

  /** Returns the guest's crop and turns in the photo's pixels; no crop if the whole photo stays. */
  edit() {
    const { x, y, width, height } = this.#crop;
    const whole = width >= this.#size.width - 1 && height >= this.#size.height - 1;
    const crop = whole ? null
      : { x: Math.round(x), y: Math.round(y), width: Math.floor(width), height: Math.floor(height) };
    return { crop, quarterTurns: ((this.#turns % 4) + 4) % 4 };
  }

  async done() {
    if (!this.#size) return;
    const inReview = this.#local !== null;
    try {
      await this.#station.send("edit", this.edit());
      if (!inReview) await this.#station.send("accept");
    } catch {
      return;
    }
    this.#close();
  }

  back() {
    if (this.#local === null) this.#station.send("back").catch(() => {});
    else this.#close();
  }

  #close() {
    this.#local = null;
    this.#changed();
  }

  #layout(moving = false) {
    if (!this.#on || !this.#size) return;
    const lying = this.#turns % 2 !== 0;
    const { clientWidth, clientHeight } = this.#bench;
    const room = 14;
    const across = clientWidth - 2 * room, down = clientHeight - 2 * room;
    const { width, height } = this.#size;
    this.#scale = Math.max(0.01, Math.min(across / (lying ? height : width), down / (lying ? width : height)));
    const style = this.#table.style;
    style.width = `${width * this.#scale}px`;
    style.height = `${height * this.#scale}px`;
    style.transition = moving && !isCalm() ? "transform .25s cubic-bezier(.2,.8,.2,1)" : "none";
    style.transform = `translate(-50%, -50%) rotate(${this.#angle}deg)`;
    this.#place();
  }

  #place() {
    const { x, y, width, height } = this.#crop;
    const scale = this.#scale;
    for (const { style } of [this.#box, $("shade")]) {
      style.width = `${width * scale}px`;
      style.height = `${height * scale}px`;
      style.transform = `translate(${x * scale}px, ${y * scale}px)`;
    }
    const share = Math.round((width / this.#size.width) * 100);
    this.#box.setAttribute("aria-label", `${t("editor.box")}, ${share} %`);
  }

  /** Moves the box and keeps it inside the photo. */
  #shift(dx, dy) {
    const { width, height } = this.#size;
    this.#crop.x = Math.max(0, Math.min(width - this.#crop.width, this.#crop.x + dx));
    this.#crop.y = Math.max(0, Math.min(height - this.#crop.height, this.#crop.y + dy));
    this.#place();
  }

  /** Scales the box by `factor` about its centre. */
  #zoom(factor) {
    if (!this.#size) return;
    const { width, height } = this.#size;
    const share = Math.max(SMALLEST, Math.min(1, (this.#crop.width / width) * factor));
    const middle = { x: this.#crop.x + this.#crop.width / 2, y: this.#crop.y + this.#crop.height / 2 };
    this.#resize(share, middle.x - (width * share) / 2, middle.y - (height * share) / 2);
  }

  #resize(share, x, y) {
    this.#crop = { x, y, width: this.#size.width * share, height: this.#size.height * share };
    this.#shift(0, 0);
  }

  #turn(quarters) {
    this.#turns += quarters;
    this.#angle += quarters * 90;
    this.#layout(true);
  }

  #tool(name) {
    if (!this.#size) return;
    if (name === "left") this.#turn(-1);
    else if (name === "right") this.#turn(1);
    else if (name === "closer") this.#zoom(1 / 1.15);
    else if (name === "wider") this.#zoom(1.15);
    else {
      this.#turns = this.#angle = 0;
      this.#resize(1, 0, 0);
      this.#layout(true);
    }
  }

  /** Converts a movement on the display to one in the photo, which may be turned. */
  #inPhoto(dx, dy) {
    const [x, y] = [[dx, dy], [dy, -dx], [-dx, -dy], [-dy, dx]][((this.#turns % 4) + 4) % 4];
    return { x: x / this.#scale, y: y / this.#scale };
  }

  #down(event) {
    if (!this.#size) return;
    event.preventDefault();
    this.#box.focus({ preventScroll: true });
    this.#pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    if (this.#pointers.size > 1) this.#corner = null;
    else this.#corner = event.target.closest(".crop i")?.className ?? null;
  }

  #move(event) {
    const from = this.#pointers.get(event.pointerId);
    if (!from || !this.#size) return;
    const to = { x: event.clientX, y: event.clientY };
    const step = this.#inPhoto(to.x - from.x, to.y - from.y);
    if (this.#pointers.size > 1) {
      const other = [...this.#pointers].find(([id]) => id !== event.pointerId)[1];
      const was = Math.hypot(from.x - other.x, from.y - other.y), is = Math.hypot(to.x - other.x, to.y - other.y);
      if (was > 10 && is > 10) this.#zoom(is / was);
      this.#shift(step.x / 2, step.y / 2);
    } else if (this.#corner) {
      this.#pull(this.#corner, step);
    } else {
      this.#shift(step.x, step.y);
    }
    this.#pointers.set(event.pointerId, to);
  }

  /** Moves a corner; the opposite corner and the shape stay. */
  #pull(corner, step) {
    const { width, height } = this.#size, crop = this.#crop;
    const east = corner.includes("e") ? 1 : 0, south = corner.includes("s") ? 1 : 0;
    const grow = ((east ? step.x : -step.x) / width + (south ? step.y : -step.y) / height) / 2;
    const fixed = { x: east ? crop.x : crop.x + crop.width, y: south ? crop.y : crop.y + crop.height };
    const room = Math.min((east ? width - fixed.x : fixed.x) / width, (south ? height - fixed.y : fixed.y) / height);
    const share = Math.max(SMALLEST, Math.min(room, crop.width / width + grow));
    this.#resize(share, east ? fixed.x : fixed.x - width * share, south ? fixed.y : fixed.y - height * share);
  }

  #press(event) {
    if (!this.#size) return;
    const far = Math.max(1, this.#size.width * (event.shiftKey ? 0.1 : 0.025));
    const moves = { ArrowLeft: [-far, 0], ArrowRight: [far, 0], ArrowUp: [0, -far], ArrowDown: [0, far] };
    const tools = { "+": "closer", "=": "closer", "-": "wider", "[": "left", "]": "right", l: "left", r: "right", 0: "reset" };
    if (event.key in moves) {
      const [dx, dy] = moves[event.key];
      const { x, y } = this.#inPhoto(dx * this.#scale, dy * this.#scale);
      this.#shift(x, y);
    } else if (event.key.toLowerCase() in tools) this.#tool(tools[event.key.toLowerCase()]);
    else if (event.key === "Enter") this.done();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
}
