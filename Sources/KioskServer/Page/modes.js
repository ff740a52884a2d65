// The place for what a guest can take besides a photo. Nothing is shown while there is one mode only.
import { $ } from "./dom.js";

/** Fills `#modes`; `settings.modes` tells what this station can take. */
export function modes(state) {
  const box = $("modes");
  const offered = (state.settings?.modes ?? ["photo"]).filter((mode) => mode in makers);
  const shown = offered.length > 0 && ["idle", "live"].includes(state.state);
  if (box.hidden === !shown) return;
  box.hidden = !shown;
  box.replaceChildren(...(shown ? offered.map((mode) => makers[mode](state)) : []));
}

/** Makes the control of a mode; a module for movies puts its record button here. */
export const makers = {};
