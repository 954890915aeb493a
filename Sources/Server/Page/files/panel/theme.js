// Light or dark theme: the device's, or the person's choice for this page.

import { palettes } from "../map/palettes.js";

const name = "photospots.look";
const dark = globalThis.matchMedia?.("(prefers-color-scheme: dark)");

/** The choices. */
export const looks = ["system", "light", "dark"];

/** The theme of the page. */
export class Theme {
  #onChange;

  /** Creates the theme and applies it; `onChange` is called with the canvas's colors. */
  constructor(onChange) {
    this.#onChange = onChange;
    dark?.addEventListener("change", () => this.#apply());
    // Another tab may have changed it.
    addEventListener("storage", () => this.#apply());
    this.#apply();
  }

  /** The current choice. */
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

// A browser may block storage.
function storage() {
  try {
    return globalThis.localStorage;
  } catch {
    return null;
  }
}
