// Map tiles, if a source is set. They are loaded through the server, so that the page contacts no
// other host.

import { boxOf, clamp, xOf, yOf } from "./mercator.js";

const keptTiles = 300;
const tileSize = 256;

/** The tiles `{ zoom, column, row }` that a view needs, at most at `maximumZoom`. Pure. */
export function tilesFor(view, frame, maximumZoom = 19) {
  const zoom = clamp(Math.round(view.zoom), 0, maximumZoom);
  const count = 2 ** zoom;
  const { south, west, north, east } = boxOf(view, frame, 0, 0, frame.width, frame.height);
  const [left, top, bottom] = [xOf(west), yOf(north), yOf(south)];
  const right = xOf(east) + (east < west ? 1 : 0);
  const tiles = [];
  const at = (share) => Math.floor(share * count);
  for (let row = Math.max(0, at(top)); row <= Math.min(count - 1, at(bottom)); row++) {
    for (let column = at(left); column <= at(right); column++) {
      tiles.push({ zoom, column, row });
    }
  }
  return tiles;
}

/** Loads tiles, and caches the most recent ones. */
export class Tiles {
  #images = new Map();
  #onLoad;

  /** Creates a loader without a source; `onLoad` is called for each loaded tile. */
  constructor(onLoad) {
    this.#onLoad = onLoad;
    this.template = null;
  }

  /** Sets a URL with `{z}`, `{x}` and `{y}`, or null for no tiles. */
  use(template) {
    if (this.template === template) return;
    this.template = template;
    this.#images.clear();
    this.#onLoad();
  }

  /** The loaded tiles of a view; requests the others. */
  ready(view, frame) {
    if (!this.template || frame.width < tileSize / 4) return [];
    return tilesFor(view, frame).map((tile) => ({ ...tile, image: this.#image(tile) }))
      .filter(({ image }) => image.complete && image.naturalWidth > 0);
  }

  #image({ zoom, column, row }) {
    const count = 2 ** zoom;
    const address = this.template.replace("{z}", zoom).replace("{y}", row)
      .replace("{x}", ((column % count) + count) % count);
    const image = this.#images.get(address) ?? this.#load(address);
    this.#images.delete(address);
    this.#images.set(address, image);
    if (this.#images.size > keptTiles) this.#images.delete(this.#images.keys().next().value);
    return image;
  }

  #load(address) {
    const image = new Image();
    image.onload = this.#onLoad;
    image.src = address;
    return image;
  }
}
