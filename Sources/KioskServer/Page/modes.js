// The kinds of recordings a guest can make: a photo, a movie, or both.
import { $ } from "./dom.js";

/** Shows the buttons for the present kinds of recordings; returns true if they changed. */
export function modes(state) {
  const live = state.state === "live";
  // Before a session the station's abilities count; during one, the session's media count, too.
  const photo = !live || (state.captureMode ?? "photo") === "photo";
  const movie = (state.settings?.modes ?? []).includes("movie")
    && (!live || (state.media ?? []).includes("movie"));
  if ($("take").hidden === !photo && $("record").hidden === !movie) return false;
  $("take").hidden = !photo;
  $("record").hidden = !movie;
  $("record").parentElement.classList.toggle("both", photo && movie);
  return true;
}
