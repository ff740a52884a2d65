// Plays a movie in a loop, with the browser's player or picture by picture.

export class Player {
  #video; #canvas;
  #pictures = null;
  /** Ends the wait for a movie that is no longer wanted. */
  #drop = null;
  #source = null;

  constructor(video, canvas) {
    this.#video = video;
    this.#canvas = canvas;
  }

  /** Plays the movie at an address; resolves to false if that fails, or if another movie was requested. */
  async play(source) {
    this.stop();
    this.#source = source;
    if (await this.#film(source)) return true;
    // Few stations record such movies, so their player is loaded with the first one.
    const { PictureMovie } = await import("./frames.js").catch(() => ({}));
    const pictures = this.#source === source && await PictureMovie?.open(source, this.#canvas);
    if (!pictures || this.#source !== source) return false;
    this.#pictures = pictures;
    this.#video.hidden = true;
    this.#canvas.hidden = false;
    pictures.play();
    return true;
  }

  /** Stops at the present picture. */
  pause() {
    this.#video.pause();
    this.#pictures?.stop();
  }

  /** Stops the movie and releases the browser's data. */
  stop() {
    this.#source = null;
    this.#drop?.();
    this.#pictures?.stop();
    this.#pictures = null;
    this.#video.hidden = this.#canvas.hidden = true;
    if (!this.#video.hasAttribute("src")) return;
    this.#video.removeAttribute("src");
    this.#video.load();
  }

  #film(source) {
    const video = this.#video;
    video.hidden = false;
    return new Promise((resolve) => {
      video.onloadeddata = () => resolve(true);
      video.onerror = () => resolve(false);
      this.#drop = () => resolve(false);
      video.src = source;
      // A browser that blocks autoplay shows the first picture.
      video.play().catch(() => {});
    });
  }
}
