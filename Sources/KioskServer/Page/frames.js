// Plays a movie of JPEG pictures, which no browser plays by itself. The movie's tables hold the
// place and the time of each picture. Each picture is fetched when it is due, drawn and released.

const HEAD = 1 << 16;

/** Returns the bytes of a file from `start` to before `end`. */
async function part(source, start, end) {
  const answer = await fetch(source, {
    headers: { Range: `bytes=${start}-${end - 1}` }, cache: "no-store", signal: AbortSignal.timeout(8000) });
  if (answer.status !== 206) {
    await answer.body?.cancel();
    throw new Error(`movie: ${answer.status}`);
  }
  return answer.arrayBuffer();
}

/** A box of an MP4 file. Source: ISO/IEC 14496-12, 4.2. */
class Box {
  constructor(view, start = 0, end = view.byteLength, type = "") {
    Object.assign(this, { view, start, end, type });
  }

  /** Iterates over the inner boxes, after `own` bytes of the box's own. */
  * inner(own = 0) {
    for (let at = this.start + own; at + 8 <= this.end;) {
      const size = this.view.getUint32(at);
      if (size < 8) return;
      const type = String.fromCharCode(...[4, 5, 6, 7].map((index) => this.view.getUint8(at + index)));
      yield new Box(this.view, at + 8, Math.min(at + size, this.end), type);
      at += size;
    }
  }

  /** Returns the first box at a path. */
  find(...types) {
    return types.reduce((box, type) => box && [...box.inner()].find((one) => one.type === type), this);
  }

  number(index) { return this.view.getUint32(this.start + 4 * index); }
  signed(index) { return this.view.getInt32(this.start + 4 * index); }

  /** Returns a table's rows of `width` numbers, after `head` numbers of which the last is the number of rows. */
  rows(head, width) {
    const count = Math.min(this.number(head - 1), Math.floor((this.end - this.start) / 4 - head) / width);
    return Array.from({ length: Math.floor(count) }, (_, row) =>
      Array.from({ length: width }, (_, column) => this.number(head + row * width + column)));
  }
}

/** Returns the places, end times, turn and crop of the pictures; null for other movies. */
function tables(movie) {
  const track = movie.find("trak"), media = track?.find("mdia"), table = media?.find("minf", "stbl");
  const description = table && [...table.find("stsd").inner(8)][0];
  if (description?.type !== "mp4v") return null;
  const scale = media.find("mdhd").number(3), head = track.find("tkhd");
  const turn = [10, 11, 13, 14].map((index) => head.signed(index) / 65536);
  const [width, height] = [19, 20].map((index) => head.number(index) >>> 16);
  const cut = { x: 0, y: 0, width, height };
  for (const box of description.inner(78)) {
    if (box.type !== "clap") continue;
    cut.width = box.number(0);
    cut.height = box.number(2);
    cut.x = (width - cut.width) / 2 + box.signed(4) / box.number(5);
    cut.y = (height - cut.height) / 2 + box.signed(6) / box.number(7);
  }
  const sizes = table.find("stsz").rows(3, 1).flat();
  const times = table.find("stts").rows(2, 2).flatMap(([count, ticks]) => Array(count).fill(ticks / scale));
  const offsets = table.find("stco").rows(2, 1).flat();
  const runs = table.find("stsc").rows(2, 3);
  const pictures = [];
  let time = 0;
  for (const [index, offset] of offsets.entries()) {
    let at = offset;
    for (let left = runs.findLast(([first]) => first <= index + 1)?.[1] ?? 0; left > 0; left--) {
      const size = sizes[pictures.length];
      if (!size) break;
      time += times[pictures.length] ?? 0;
      pictures.push({ start: at, end: at + size, over: time });
      at += size;
    }
  }
  return pictures.length ? { pictures, turn, cut, length: time } : null;
}

export class PictureMovie {
  #source; #tables; #canvas;
  #stopped = false;

  constructor(source, tables, canvas) {
    this.#source = source;
    this.#tables = tables;
    this.#canvas = canvas;
  }

  /** Opens the movie at an address and draws its first picture; returns null if it has no JPEG pictures. */
  static async open(source, canvas) {
    try {
      const start = new Box(new DataView(await part(source, 0, HEAD)));
      let movie = start.find("moov");
      if (!movie) return null;
      // `inner` ends with the fetched bytes, and a long movie's tables are longer.
      const end = movie.start - 8 + movie.view.getUint32(movie.start - 8);
      if (end > start.end) {
        movie = new Box(new DataView(await part(source, 0, end))).find("moov");
      }
      const found = tables(movie);
      if (!found) return null;
      const made = new PictureMovie(source, found, canvas);
      await made.#show(0);
      return made;
    } catch {
      return null;
    }
  }

  /** Plays the movie repeatedly until it is stopped, or its file is gone. */
  async play() {
    const { pictures, length } = this.#tables;
    const began = performance.now();
    let last = 0;
    while (!this.#stopped) {
      const time = (performance.now() - began) / 1000 % Math.max(length, 0.04);
      const due = Math.max(0, pictures.findIndex((picture) => picture.over > time));
      try {
        if (due !== last) await this.#show(due);
      } catch {
        return;
      }
      last = due;
      const wait = pictures[due].over - (performance.now() - began) / 1000 % Math.max(length, 0.04);
      await new Promise((resolve) => setTimeout(resolve, Math.min(Math.max(wait * 1000, 4), 500)));
    }
  }

  stop() { this.#stopped = true; }

  async #show(index) {
    const { pictures, turn: [a, b, c, d], cut } = this.#tables;
    const bytes = await part(this.#source, pictures[index].start, pictures[index].end);
    const bitmap = await createImageBitmap(new Blob([bytes], { type: "image/jpeg" }));
    try {
      if (this.#stopped) return;
      const canvas = this.#canvas, [width, height] = a === 0 ? [cut.height, cut.width] : [cut.width, cut.height];
      if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
      const context = canvas.getContext("2d", { alpha: false });
      context.setTransform(a, b, c, d, width / 2, height / 2);
      context.drawImage(
        bitmap, cut.x, cut.y, cut.width, cut.height, -cut.width / 2, -cut.height / 2, cut.width, cut.height);
      canvas.dataset.picture = String(index);
    } finally {
      bitmap.close();
    }
  }
}
