// Loads the outlines: the coarse ones at the start, the fine ones at close zooms.

import { readOutlines } from "./outlines.js";

const fineZoom = 3.4;
const lastZoom = 11;

/** The outlines of the world. */
export class Outlines {
  #known = {};
  #requested = new Set();
  #onLoad;

  /** Begins to load; `onLoad` is called whenever outlines were loaded. */
  constructor(onLoad) {
    this.#onLoad = onLoad;
    this.#load("world-110.bin");
  }

  /** The best loaded outlines for a zoom, or undefined. */
  forZoom(zoom) {
    if (zoom > fineZoom - 0.2 && zoom < lastZoom) this.#load("world-50.bin");
    return (zoom > fineZoom && this.#known["world-50.bin"]) || this.#known["world-110.bin"];
  }

  async #load(file) {
    if (this.#requested.has(file)) return;
    this.#requested.add(file);
    try {
      const response = await fetch(file);
      if (!response.ok) throw new Error(file);
      this.#known[file] = readOutlines(await response.arrayBuffer());
      this.#onLoad();
    } catch {
      // The map works without them; the next movement tries again.
      this.#requested.delete(file);
    }
  }
}
