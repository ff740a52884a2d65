// The choice of the screen, and its content.
import { $, all, clock, isCalm, write } from "./dom.js";
import { has, keys, t } from "./text.js";
import { deadline, glide, runBar, runRing, Seconds } from "./timers.js";
import { modes } from "./modes.js";
import { Player } from "./player.js";
import { gallery, original, thumbnail } from "./slides.js";
import * as discs from "./discs.js";
import * as light from "./light.js";
import { Strip } from "./strip.js";
import * as sounds from "./sounds.js";

const ARMING = 800;
const SCREENS = {
  idle: "attract", live: "attract", countdown: "countdown", recording: "recording", capturing: "capturing",
  reviewing: "review", saving: "saving", browsing: "library", editing: "editor",
  finished: "saved", cancelled: "cancelled", failed: "failed",
};
const SIGNS = { camera: "i-no-camera", storage: "i-full", library: "i-full", fault: "i-wait", connection: "i-wait" };

/** The keys that the page itself handles, see input.js. */
const PAGE_KEYS = { shutter: ["Space"], accept: ["Enter"], retake: ["R"], cancel: ["Escape"] };

/** Returns whether the page names its keys: for a guest with a keyboard, or without wired controls. */
function pageKeys(state) {
  const { input } = document.documentElement.dataset;
  if (input) return input === "keyboard";
  return Object.values(state.controls ?? {}).every((labels) => labels.length === 0);
}

/** Returns the problem that the guest must see now, or null. */
export function troubleNow(station) {
  if (!station.connected) {
    const code = station.met ? "connectionLost" : "starting";
    return { kind: "connection", code, retryAt: station.nextAttempt };
  }
  const { state, trouble, received } = station.state ?? {};
  if (!trouble) return null;
  const matters = trouble.kind === "library" ? ["browsing", "editing"] : ["idle", "live"];
  if (!matters.includes(state)) return null;
  return { ...trouble, retryAt: trouble.retryMs == null ? null : received + trouble.retryMs };
}

/** Returns the guest's sentence, in the guest's language if the code is known. */
export function guestSentence(reason) {
  const key = `reason.${reason?.code}`;
  if (has(key)) return t(key);
  const kind = `reason.${reason?.kind}`;
  return reason?.guest ?? reason?.message ?? (has(kind) ? t(kind) : t("reason.stationFault"));
}

/** Returns whether the last saved file is a movie. */
const isMovie = (photo) => photo?.name.endsWith(".mp4") === true;

/** Returns the address of a picture of the last saved file. */
const saved = (photo) => (isMovie(photo) ? thumbnail : original)(photo.id);

export class Screens {
  /** The name of the present screen. */
  name = "waiting";
  /** The time from which an accept counts, so that a double press does not keep an unseen photo. */
  armedAt = Infinity;

  #station; #preview; #slides; #library; #editor;
  #still = null;
  #picked = null;
  #shown = null;
  #began = performance.now();
  #count = new Seconds((seconds) => this.#tick(seconds));
  #left = new Seconds((seconds) => write($("review-end"), t(`review.${this.#atEnd}`, { n: seconds })));
  #atEnd = "cancel";
  #retry = new Seconds((seconds) => write($("retry-text"), seconds ? t("retry.in", { n: seconds }) : t("retry.now")));
  #elapsed = new Seconds((left) => this.#tape(left));
  #length = 0;
  #ringEnd = 0;
  #recorded = false;
  #wasMovie = false;
  #player = new Player($("still-movie"), $("still-pictures"));
  #barEnd = 0;
  #toast = null;
  #last = "idle";
  /** What a cancelled session leaves behind: nothing, or a photo or movie that was on show. */
  #lost = "title";

  constructor(station, { preview, slides, library, editor }) {
    this.#station = station;
    this.#preview = preview;
    this.#slides = slides;
    this.#library = library;
    this.#editor = editor;
    this.strip = new Strip(station);
    new ResizeObserver(() => this.#measure(true)).observe($("app"));
  }

  /** Shows the station's state; `words` is true if the language changed. */
  update(words = false) {
    if (words) light.fit();
    const state = this.#station.state;
    const trouble = troubleNow(this.#station);
    const name = this.#choose(state, trouble);
    if (state) this.#common(state, words);
    if (name === "waiting") return;
    const before = $("frame").getBoundingClientRect();
    const changed = name !== this.name;
    if (changed) this.#open(name);
    this.#fill(name, state, trouble, words);
    if (words) for (const one of [this.#left, this.#retry]) one.again();
    if (changed || words) this.#measure();
    if (changed) {
      glide($("frame"), before);
      this.#tell(name);
    }
    if (state && this.#station.connected) {
      this.#last = state.state;
      if (state.state === "reviewing") this.#wasMovie = state.isMovie;
    }
  }

  /** Shows a sentence at the foot of the screen for some seconds. */
  toast(sentence) {
    clearTimeout(this.#toast);
    write($("toast"), sentence);
    this.#placeToast();
    $("toast").hidden = false;
    write($("alarm"), sentence);
    if (!isCalm()) $("toast").animate([{ opacity: 0, translate: "0 1rem" }, {}], { duration: 200 });
    this.#toast = setTimeout(() => ($("toast").hidden = true), 4000);
  }

  /** Places the sentence away from controls: at the picture's foot or at the headline. */
  #placeToast() {
    const place = { library: $("library-title").parentElement, editor: $("bench") }[this.name]
      ?? (document.querySelector("#app > .panel.shown") ? $("frame") : $("app"));
    if ($("toast").parentElement !== place) place.append($("toast"));
  }

  #choose(state, trouble) {
    if (trouble) {
      // The first answer takes a moment, so a problem is shown only after a second.
      const early = !this.#station.met && performance.now() - this.#began < 1000;
      return early ? "waiting" : "trouble";
    }
    if (!state) return "waiting";
    if (state.state === "idle" && this.#library.isOpen) return "library";
    if (state.state === "reviewing" && this.#editor.isOpenFor(state)) return "editor";
    return SCREENS[state.state] ?? "attract";
  }

  #open(name) {
    this.name = name;
    document.body.dataset.screen = name;
    for (const section of all("#app > [data-screen]")) {
      section.classList.toggle("shown", section.dataset.screen === name);
    }
    this.#placeToast();
    const section = document.querySelector(`#app > [data-screen=${name}]`);
    if (!document.querySelector("dialog[open]")) {
      const primary = all("[data-primary]", section).find((element) => !element.hidden && !element.disabled);
      (primary ?? section).focus({ preventScroll: true });
    }
    if (isCalm()) return;
    section.animate([{ opacity: 0, translate: "0 .6rem" }, { opacity: 1, translate: "0 0" }],
      { duration: 260, easing: "cubic-bezier(.2,.8,.2,1)" });
  }

  #common(state, words) {
    const body = document.body.dataset;
    const inSession = state.session !== null && this.#station.connected;
    body.presentation = inSession ? state.presentation : "fullScreen";
    body.state = state.state;
    gallery(["sheet", "popover"].includes(body.presentation));
    const app = $("app");
    if (body.presentation === "sheet" || body.presentation === "popover") {
      app.setAttribute("role", "dialog");
      app.setAttribute("aria-modal", "true");
      app.setAttribute("aria-label", t("dialog.label"));
    } else if (app.hasAttribute("role")) {
      for (const name of ["role", "aria-modal", "aria-label"]) app.removeAttribute(name);
    }
    const hands = state.showsCameraControls && state.presentation !== "headless";
    if (body.controls !== (hands ? "on" : "off") || words) {
      body.controls = hands ? "on" : "off";
      for (const button of all("#app [data-command]")) button.disabled = !hands;
    }
    const typed = pageKeys(state);
    const labels = JSON.stringify([state.controls, state.panel, hands, typed]);
    if (labels !== this.#shown?.labels || words) {
      this.#shown = { labels };
      for (const element of all("[data-keys]")) {
        const { keys: action, words: sentence } = element.dataset;
        const map = discs.map(state, action, element.closest("[data-screen]").dataset.screen, Boolean(sentence));
        const wired = map ? [] : state.controls?.[action] ?? [];
        keys(element, [...wired, ...(typed ? PAGE_KEYS[action] : [])],
          map ? "" : sentence === "press" && !hands ? "pressOnly" : sentence, map);
      }
      this.#measure();
    }
    discs.light(state);
    sounds.enable(state.settings?.sounds === true);
    this.#preview.shape(state.preview, state.instance);
    const { crop, turns } = state.preview ?? {};
    if (crop?.width > 0 && crop.height > 0) {
      const ratio = turns % 2 ? crop.height / crop.width : crop.width / crop.height;
      $("app").style.setProperty("--ratio", ratio.toFixed(4));
    }
    if (state.state !== "capturing") this.#recorded = state.state === "recording";
    if (modes(state)) {
      this.#measure();
      // The hidden button may have had the focus.
      if (document.activeElement?.hidden) document.querySelector("#app > .shown")?.focus();
    }
  }

  #fill(name, state, trouble, words) {
    const live = ["attract", "countdown", "recording", "cancelled"].includes(name);
    this.#preview.show(live && trouble === null);
    this.#slides.show(name === "attract" && state.state === "idle" && state.settings?.slideshow === true);
    if (name !== "countdown") this.#count.stop();
    if (name === "trouble") this.#trouble(trouble);
    else this.#retry.stop();
    this.#picture(name, state);
    this.strip.show(name === "review" ? state : null, words);
    this.#library.show(name === "library" ? state : null, state);
    this.#editor.show(name === "editor" ? state : null);
    this.#timer(name === "review" ? state : null);
    this.#recording(name === "recording" ? state : null);
    const movie = this.#still?.movie === true;
    if (name === "review") write($("review-use"), t(movie ? "movie.use" : "review.use"));
    if (name === "capturing") write($("capturing-title"), t(this.#recorded ? "saving.library" : "capturing"));
    $("capturing-title").className = this.#recorded ? "" : "unseen";
    $("saving-cancel").hidden = state?.source === "camera";
    if (name === "attract") this.#attract(state);
    if (name === "countdown") {
      light.pose(state.settings, deadline(state));
      this.#count.start(deadline(state));
    } else if (name === "capturing" && !this.#recorded) {
      light.over(state.settings, t("capturing"));
    } else {
      light.leave();
    }
    if (name === "capturing" && this.#last !== "capturing" && !this.#recorded) this.#flash();
    if (name === "saving") {
      write($("saving-title"), t(state.source !== "camera" ? "saving.library" : movie ? "movie.saving" : "saving.title"));
      write($("saving-slow"), t(movie ? "movie.slow" : "saving.slow"));
      if ($("saving-slow").hidden === state.slow) {
        $("saving-slow").hidden = !state.slow;
        if (state.slow) write($("announcer"), $("saving-slow").textContent);
        this.#measure();
      }
    }
    if (name === "saved") {
      const camera = state.source === "camera";
      write($("saved-title"), t(!camera ? "saved.library" : movie || isMovie(state.lastPhoto) ? "movie.saved" : "saved.title"));
      write($("saved-text"), t("saved.text"));
      this.#again(camera);
      if (this.#last !== "finished") sounds.saved();
    }
    if (name === "cancelled") {
      if (this.#last !== "cancelled") this.#lost = this.#last !== "reviewing" ? "title" : this.#wasMovie ? "movie" : "photo";
      write($("cancelled-title"), t(`cancelled.${this.#lost}`));
    }
    if (name === "failed") {
      const camera = state.source === "camera";
      write($("failed-title"), guestSentence(state.trouble));
      this.#again(camera);
      // The button says so.
      $("failed-text").hidden = camera && document.body.dataset.controls === "on";
    }
  }

  /** Shows or hides the controls that start another session with the camera. */
  #again(camera) {
    for (const element of [...all(".again"), $("saved-next")]) element.hidden = !camera;
  }

  #attract(state) {
    const live = state.state === "live";
    $("photos").hidden = state.settings?.gallery !== true;
    const title = live ? t("live.title") : state.settings?.title || t("attract.title");
    if ($("live-cancel").hidden !== live && $("attract-title").textContent === title) return;
    write($("attract-title"), title);
    write($("attract-hint"), live ? t("live.hint") : t("attract.hint"));
    $("live-cancel").hidden = !live;
    this.#measure();
  }

  #trouble(trouble) {
    write($("trouble-title"), guestSentence(trouble));
    const key = `trying.${trouble.code}`;
    const kind = `trying.${trouble.kind}`;
    write($("trouble-trying"), has(key) ? t(key) : has(kind) ? t(kind) : trouble.trying ?? "");
    $("trouble-sign").setAttribute("href", `#${SIGNS[trouble.kind] ?? "i-wait"}`);
    const trying = trouble.retryAt === null || trouble.retryAt === undefined;
    if (trying) {
      this.#retry.stop();
      write($("retry-text"), t("retry.now"));
    } else {
      this.#retry.start(trouble.retryAt);
    }
    runBar($("retry").firstElementChild, trying ? null : trouble.retryAt);
  }

  #timer(state) {
    const box = $("app").querySelector(".timer");
    const end = (state && deadline(state)) || 0;
    if (end === this.#barEnd || (end && Math.abs(end - this.#barEnd) < 250)) return;
    this.#barEnd = end;
    box.hidden = !end;
    if (!end) return this.#left.stop();
    runBar(box.firstElementChild, end, state.totalMs);
    this.#atEnd = state.atEnd === "accept" ? "accept" : "cancel";
    this.#left.start(end);
  }

  /** Shows the filling ring and the running time while a movie is recorded. */
  #recording(state) {
    const end = (state && deadline(state)) || 0;
    if (end === this.#ringEnd || (end && Math.abs(end - this.#ringEnd) < 250)) return;
    this.#ringEnd = end;
    $("tape").hidden = !end;
    runRing($("ring"), end || null, state?.totalMs);
    if (!end) return this.#elapsed.stop();
    this.#length = Math.round(state.totalMs / 1000);
    this.#elapsed.start(end);
  }

  #tape(left) {
    const time = clock(Math.max(0, this.#length - left));
    write($("tape-time"), time);
    write($("elapsed"), `${time} / ${clock(this.#length)}`);
  }

  /** Shows the still of the review, until it is saved or discarded. */
  #picture(name, state) {
    const review = ["review", "saving", "saved"].includes(name) && state.source !== "photoLibrary"
      && state.source !== "savedPhotosAlbum";
    // The station forgets the selection with the session; the page shows its first picture until the next.
    if (state.selection?.length) this.#picked = state.selection[0];
    else if (name === "attract") this.#picked = null;
    const picked = ["saving", "saved"].includes(name) && !review && this.#picked;
    const source = picked ? thumbnail(picked)
      : !review ? null
      : state.candidate != null && name !== "saved" ? this.#reviewed(state, name)
      : this.#still?.source ?? (state.lastPhoto ? saved(state.lastPhoto) : null);
    if (source !== (this.#still?.source ?? null)) {
      const [whole] = (source ?? "").split("&frame");
      if (this.#still?.ready && whole === this.#still.source.split("&frame")[0]) this.#exchange(source);
      else this.#load(source);
    }
    // The guest has seen the movie, and its file is now in the library.
    if (name === "saved") this.#player.pause();
    if (name === "review") this.#applyEdit(state.edit);
    $("seal").hidden = name !== "saved";
    $("busy").hidden = !(name === "capturing" || name === "saving" || (name === "review" && !this.#still?.ready));
  }

  /** Returns the address of the still or movie under review, which stays the same while it is saved. */
  #reviewed(state, name) {
    const movie = state.isMovie || (name === "saving" && this.#still?.movie);
    const own = `?candidate=${state.candidate}`, { frames } = state;
    // The page shows the previous frame until the new frame's still is made, and while the photo is saved.
    if ((name === "saving" || frames?.ready === false) && this.#still?.source.includes(own)) return this.#still.source;
    const frame = frames && frames.chosen !== frames.nearest ? `&frame=${frames.chosen}` : "";
    return `/api/v1/review/${state.session}.${movie ? "mp4" : "jpg"}${own}${frame}`;
  }

  /** Replaces the shown frame of the photo once the new one is loaded. */
  async #exchange(source) {
    const still = this.#still, image = $("still-image").cloneNode();
    still.source = source;
    image.src = source;
    const came = await image.decode().then(() => true, () => false);
    if (this.#still !== still || still.source !== source) return;
    if (!came) return this.#load(source);
    $("still-image").replaceWith(image);
    this.#applyEdit(still.edit);
  }

  async #load(source) {
    const image = $("still-image");
    const movie = source !== null && /^\/api\/v1\/review\/\d+\.mp4\?/.test(source);
    const still = (this.#still = source && { source, movie, ready: false, edit: null });
    this.#player.stop();
    image.hidden = movie;
    $("still-dumb").hidden = true;
    this.armedAt = Infinity;
    $("accept").setAttribute("aria-disabled", "true");
    if (!source) {
      $("still").hidden = true;
      image.removeAttribute("src");
      return;
    }
    if (movie) image.removeAttribute("src");
    for (let attempt = 0; attempt < 4 && this.#still === still; attempt++) {
      const again = attempt ? `${source}${source.includes("?") ? "&" : "?"}again=${attempt}` : source;
      if (movie) {
        if (await this.#player.play(again)) break;
        await new Promise((resolve) => setTimeout(resolve, 200));
        if (attempt === 3 && this.#still === still) $("still-dumb").hidden = false;
        continue;
      }
      image.src = again;
      try {
        await image.decode();
        break;
      } catch {
        await new Promise((resolve) => setTimeout(resolve, 200));
      }
    }
    if (this.#still !== still) return;
    still.ready = true;
    $("still").hidden = false;
    $("busy").hidden = this.name === "review" || this.name === "saved";
    image.alt = t("review.label");
    for (const one of [$("still-movie"), $("still-pictures")]) one.setAttribute("aria-label", t("movie.label"));
    this.armedAt = performance.now() + ARMING;
    setTimeout(() => this.#still === still && $("accept").removeAttribute("aria-disabled"), ARMING);
    this.#applyEdit(still.edit);
  }

  /** Shows the still with the guest's crop and turns, as it will be saved. */
  #applyEdit(edit) {
    const image = $("still-image"), still = this.#still;
    if (!still || still.movie) return;
    still.edit = edit ?? null;
    const plain = !edit || (!edit.crop && !edit.quarterTurns);
    $("still").classList.toggle("edited", !plain);
    if (plain || !still.ready) return image.removeAttribute("style");
    const { naturalWidth: width, naturalHeight: height } = image;
    const crop = edit.crop ?? { x: 0, y: 0, width, height };
    const box = $("frame").getBoundingClientRect();
    const lying = edit.quarterTurns % 2 === 1;
    const scale = Math.min(box.width / (lying ? crop.height : crop.width),
      box.height / (lying ? crop.width : crop.height));
    const px = (value) => `${value * scale}px`;
    Object.assign(image.style, {
      width: px(width), height: px(height), transformOrigin: "0 0",
      transform: `translate(${box.width / 2}px, ${box.height / 2}px) rotate(${edit.quarterTurns * 90}deg) `
        + `translate(${px(-crop.x - crop.width / 2)}, ${px(-crop.y - crop.height / 2)})`,
      clipPath: `inset(${px(crop.y)} ${px(width - crop.x - crop.width)} ${px(height - crop.y - crop.height)} ${px(crop.x)})`,
    });
  }

  #tick(seconds) {
    const shown = Math.max(1, seconds), last = seconds <= 1;
    if ($("count-number").textContent === String(shown) && !$("lens").hidden && seconds === 0) return;
    light.number(shown, t(last ? "countdown.smile" : "countdown.look"));
    write($("countdown-title"), last ? t("countdown.smile") : t("countdown.ready"));
    write($("alarm"), String(shown));
    sounds.tick(last);
  }

  #flash() {
    sounds.shutter();
    const steps = isCalm() ? [{ opacity: 0.5 }, { opacity: 0 }] : [{ opacity: 1 }, { opacity: 1, offset: 0.25 }, { opacity: 0 }];
    $("flash").animate(steps, { duration: isCalm() ? 300 : 650, easing: "ease-out" });
    $("flash").dataset.count = String(Number($("flash").dataset.count ?? 0) + 1);
  }

  #tell(name) {
    const section = document.querySelector(`#app > [data-screen=${name}]`);
    const heading = section.querySelector("h1")?.textContent ?? "";
    const more = name === "review" && !section.querySelector(".timer").hidden ? $("review-end").textContent
      : name === "trouble" ? $("trouble-trying").textContent : "";
    write($(name === "trouble" ? "alarm" : "announcer"), `${heading} ${more}`.trim());
  }

  /** Chooses the fullest form of the screen that fits. In portrait the panel gets its need, the picture the rest. */
  #measure(resized = false) {
    const section = document.querySelector("#app > :is(.panel, .notice).shown");
    if (!section) return;
    // Nothing to press is on this one, and the picture stays where it was during the countdown.
    if (this.name === "capturing" && !this.#recorded && !resized) return;
    const app = $("app"), upright = app.clientWidth < app.clientHeight;
    // The picture must not move when it is taken.
    const kept = ["countdown", "capturing"].includes(this.name) && !resized;
    for (let fit = 0; fit < FITS.length; fit++) {
      app.dataset.fit = FITS[fit];
      // A word that is broken in two does not fit.
      app.classList.add("measured");
      if (upright && !kept && section.matches(".panel")) {
        app.style.setProperty("--panel", "auto");
        const needed = section.offsetHeight, gap = $("picture").offsetLeft;
        const left = app.clientHeight - (app.clientWidth - 2 * gap) / Number(app.style.getPropertyValue("--ratio") || 0.75) - 3 * gap;
        const most = app.clientHeight * (fit === FITS.length - 1 ? 0.8 : 0.6);
        app.style.setProperty("--panel", `${Math.ceil(Math.min(Math.max(needed, left), Math.max(most, left)))}px`);
      }
      // A ring and a line of tall letters extend a little beyond their boxes.
      const fits = section.scrollHeight <= section.clientHeight + 6 && [section, ...all("h1, p, button", section)]
        .every((one) => one.scrollWidth <= one.clientWidth + 1);
      app.classList.remove("measured");
      if (fits) break;
    }
    if (this.#still) this.#applyEdit(this.#still.edit);
  }
}

/** The forms of a screen, see screens.css: the fullest first. */
const FITS = ["", "0", "0 1", "0 1 2", "0 1 2 3", "0 1 2 3 4", "0 1 2 3 4 5"];
