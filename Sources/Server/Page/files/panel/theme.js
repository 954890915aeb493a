// Light or dark theme: the device's, or the person's choice for this page.

import { palettes } from "../map/palettes.js";
import { keep, kept } from "./choices.js";

const dark = globalThis.matchMedia?.("(prefers-color-scheme: dark)");

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
    return kept("look");
  }

  set look(look) {
    keep("look", look);
    this.#apply();
  }

  #apply() {
    const { look } = this;
    const theme = look === "system" ? (dark?.matches ? "dark" : "light") : look;
    document.documentElement.dataset.theme = theme;
    this.#onChange(palettes[theme]);
  }
}
