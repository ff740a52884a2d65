// The live preview: one frame per request, one request at a time, drawn and released at once. An
// <img> with an endless stream would grow until the system kills the browser.
import { sleep, write } from "./dom.js";
import { t } from "./text.js";

const DEADLINE = 4000;
const OLD = 1500;

export class Preview {
  #canvas; #context; #badge;
  #shape = null;
  #after = -1;
  #running = null;
  #wanted = false;
  #born = 0;

  constructor(canvas, badge) {
    this.#canvas = canvas;
    this.#badge = badge;
    this.#context = canvas.getContext("2d", { alpha: false, desynchronized: true });
    document.addEventListener("visibilitychange", () => this.#settle());
    setInterval(() => this.#tellAge(), 500);
  }

  /** Sets how the preview crops, turns and mirrors a frame; the saved photo is not mirrored. */
  shape(preview, instance) {
    const key = JSON.stringify([preview, instance]);
    if (this.#shape?.key === key) return;
    if (this.#shape?.instance !== instance) this.#after = -1;
    this.#shape = { ...preview, key, instance };
  }

  /** Starts or stops the requests for frames. */
  show(wanted) {
    if (wanted === this.#wanted) return;
    this.#wanted = wanted;
    this.#born = performance.now();
    this.#settle();
  }

  #settle() {
    const on = this.#wanted && document.visibilityState === "visible";
    if (on && !this.#running) {
      const running = (this.#running = new AbortController());
      this.#run(running.signal);
    } else if (!on && this.#running) {
      this.#running.abort();
      this.#running = null;
    }
  }

  async #run(stopped) {
    while (!stopped.aborted) {
      const began = performance.now();
      let drawn = false;
      try {
        drawn = await this.#next(stopped);
      } catch {
        await sleep(400, stopped);
      }
      // A station without frames may answer at once, so the loop must pause before the next request.
      if (!drawn) await sleep(Math.max(0, 150 - (performance.now() - began)), stopped);
    }
  }

  async #next(stopped) {
    // Each frame has its own controller, because signals of a long-lived one would accumulate for hours.
    const frame = new AbortController();
    const end = () => frame.abort();
    const timer = setTimeout(end, DEADLINE);
    stopped.addEventListener("abort", end);
    try {
      return await this.#fetch(frame.signal, stopped);
    } finally {
      clearTimeout(timer);
      stopped.removeEventListener("abort", end);
    }
  }

  async #fetch(signal, stopped) {
    const query = this.#after >= 0 ? `?after=${this.#after}` : "";
    const answer = await fetch(`/api/v1/preview${query}`, { signal, cache: "no-store" });
    if (answer.status !== 200) {
      await answer.body?.cancel();
      if (answer.status !== 204) throw new Error(`preview: ${answer.status}`);
      return false;
    }
    const bitmap = await createImageBitmap(await answer.blob());
    try {
      if (stopped.aborted) return false;
      this.#after = Number(answer.headers.get("X-Retake-Frame") ?? -1);
      this.#born = performance.now() - Number(answer.headers.get("X-Retake-Age-Ms") ?? 0);
      this.#draw(bitmap);
    } finally {
      bitmap.close();
    }
    return true;
  }

  #draw(bitmap) {
    const { turns = 0, mirrored = false, crop, frame } = this.#shape ?? {};
    // A raw camera's preview is smaller than its frames, so the crop is scaled.
    const scale = frame?.width ? bitmap.width / frame.width : 1;
    const cut = crop
      ? { x: crop.x * scale, y: crop.y * scale, width: crop.width * scale, height: crop.height * scale }
      : { x: 0, y: 0, width: bitmap.width, height: bitmap.height };
    const lying = turns % 2 === 1;
    const natural = lying ? cut.height : cut.width;
    const shown = Math.min(1, (this.#canvas.clientWidth * devicePixelRatio || natural) / natural);
    const width = Math.max(1, Math.round(natural * shown));
    const height = Math.max(1, Math.round((lying ? cut.width : cut.height) * shown));
    if (this.#canvas.width !== width || this.#canvas.height !== height) {
      this.#canvas.width = width;
      this.#canvas.height = height;
    }
    const context = this.#context;
    context.setTransform(mirrored ? -1 : 1, 0, 0, 1, width / 2, height / 2);
    context.rotate((turns * Math.PI) / 2);
    const across = lying ? height : width, down = lying ? width : height;
    context.drawImage(bitmap, cut.x, cut.y, cut.width, cut.height, -across / 2, -down / 2, across, down);
    this.#canvas.dataset.first ??= String(Math.round(performance.now()));
    this.#canvas.dataset.frame = String(this.#after);
  }

  #tellAge() {
    const age = performance.now() - this.#born;
    const old = this.#running !== null && age > OLD;
    this.#badge.hidden = !old;
    if (old) write(this.#badge, t("age", { n: Math.round(age / 1000) }));
  }
}
