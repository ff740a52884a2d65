// What a guest can take: a photo, a movie, or both.
import { $ } from "./dom.js";

/** Shows the buttons for what can be taken now; true if that is another choice than before. */
export function modes(state) {
  const live = state.state === "live";
  // Before a session the station's abilities count, in it what it is for.
  const photo = !live || (state.captureMode ?? "photo") === "photo";
  const movie = (state.settings?.modes ?? []).includes("movie")
    && (!live || (state.media ?? []).includes("movie"));
  if ($("take").hidden === !photo && $("record").hidden === !movie) return false;
  $("take").hidden = !photo;
  $("record").hidden = !movie;
  $("record").parentElement.classList.toggle("both", photo && movie);
  return true;
}
