// Light or dark: as the device is, or as the person wants it on this page.

import { palettes } from "../map/palettes.js";

const name = "photospots.look";
const dark = globalThis.matchMedia?.("(prefers-color-scheme: dark)");

/** The looks that a person chooses from. */
export const looks = ["system", "light", "dark"];

/** Keeps the look of the page. */
export class Theme {
  #onChange;

  /** Creates the theme and applies it; `onChange` is called with the colours of the canvas. */
  constructor(onChange) {
    this.#onChange = onChange;
    dark?.addEventListener("change", () => this.#apply());
    this.#apply();
  }

  /** The look that was chosen. */
  get look() {
    const kept = storage()?.getItem(name);
    return looks.includes(kept) ? kept : "system";
  }

  set look(look) {
    storage()?.setItem(name, look);
    this.#apply();
  }

  #apply() {
    const { look } = this;
    const theme = look === "system" ? (dark?.matches ? "dark" : "light") : look;
    document.documentElement.dataset.theme = theme;
    this.#onChange(palettes[theme]);
  }
}

// A browser may refuse storage altogether.
function storage() {
  try {
    return globalThis.localStorage;
  } catch {
    return null;
  }
}
