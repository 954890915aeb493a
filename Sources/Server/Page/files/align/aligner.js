// The alignment of a view in pictures of the same place: camera frames, or another photo. Pure.

import { isBlank } from "./blank.js";
import { withinBorder } from "./border.js";
import { fieldOf, mapped } from "./field.js";
import { parallaxOf } from "./parallax.js";
import { halved, noiseOf } from "./picture.js";
import { judged } from "./score.js";
import { Search } from "./search.js";
import {
  composed, identity, meanCornerShift, similarity, transformed, turnOf, zoomOf,
} from "./similarity.js";
import { commonShift, shiftsOf, tilesOf } from "./tiles.js";

// The number of candidates examined closely, beside the unmoved position.
const placesTried = 5;
// The ranges of tile shifts, in pixels: at first, refined, and for separate planes.
const far = { x: 5, y: 5 };
const close = { x: 3, y: 3 };
const sideways = { x: 15, y: 2 };
// The minimum likeness from one frame to the next while the view is tracked.
const heldShare = 0.75;
// The maximum distance in pixels of a tile from its place.
const placedWithin = 1.6;
// The minimum share of the view that must be visible.
const minimumOverlap = 0.4;
// The grey level from which a pixel is light.
const darkLevel = 60;

/** Compares pictures with one view. */
export class Aligner {
  #size;
  #view;
  #tiles;
  #search;
  #last = null;

  /** Creates an aligner for the view in a picture; see `picture.js`. */
  constructor(picture) {
    this.#size = { width: picture.width, height: picture.height };
    this.#view = seenIn(picture);
    this.#tiles = tilesOf(this.#size);
    this.#search = new Search(this.#view.half());
  }

  /**
   * Finds the view in a picture of the same size, with a confidence; see `judged`.
   *
   * - `isTracking`: whether the picture is the frame after the previous one, in which the view has
   *   hardly moved. While it is tracked there is no search.
   */
  align(picture, { isTracking = false } = {}) {
    const seen = seenIn(picture);
    const last = this.#last;
    let best = isTracking && last?.isLocked
      ? { ...this.#refined(last.map, seen.field), rival: last.rival } : null;
    if (!best || best.alike < heldShare * last.alike) best = this.#found(seen);
    const { map } = best;
    const result = judged({
      turn: turnOf(map), zoom: zoomOf(map),
      dx: map.x / this.#size.width, dy: map.y / this.#size.width,
      way: meanCornerShift(map, this.#size), step: best.step, spread: best.spread,
      alike: best.alike, rival: best.rival, agreement: this.#agreement(seen.field),
      texture: Math.min(seen.texture, this.#view.texture),
      isDark: seen.isDark || this.#view.isDark,
      isBlank: seen.isBlank || this.#view.isBlank,
    });
    this.#last = { ...best, isLocked: result.isLocked };
    return result;
  }

  // The best candidate, and as `rival` the share of its likeness that the next one has in the same
  // tiles. Two separate planes have different tiles; a repeating pattern is alike in all tiles.
  #found(seen) {
    const places = this.#search.places(seen.half(), placesTried)
      .map(({ turn, zoom, x, y }) => similarity({ turn, zoom, x: 2 * x, y: 2 * y }));
    const refined = [identity, ...places].map((map) => this.#refined(map, seen.field))
      .sort((one, other) => other.alike - one.alike);
    const [best, ...others] = refined;
    const rivals = others.filter(({ map }) => isElsewhere(map, best.map, this.#size))
      .map(({ shifts }) => alikeIn(shifts.map((shift, index) =>
        ({ ...shift, alike: Math.min(shift.alike, best.shifts[index].alike) }))));
    return { ...best, rival: Math.max(0, ...rivals) / Math.max(0.01, alikeIn(best.shifts)) };
  }

  // Refines a candidate by the shifts of tiles, twice; then measures the parallax.
  #refined(map, field) {
    for (const reach of [far, close]) {
      const shifts = shiftsOf(this.#tiles, this.#view.field, mapped(field, map), reach);
      const fit = commonShift(this.#tiles, shifts, { reach: reach.x });
      if (!fit) break;
      map = composed({ a: 1 + fit.s, b: fit.r, x: fit.x, y: fit.y }, map);
    }
    const shifts = shiftsOf(this.#tiles, this.#view.field, mapped(field, map), sideways);
    return {
      map, shifts,
      alike: alikeIn(shifts) * Math.sqrt(placedIn(shifts))
        * Math.min(1, this.#overlap(map, shifts) / minimumOverlap),
      ...parallaxOf(this.#tiles, shifts, this.#size),
    };
  }

  // The share of the view's information that is inside the picture.
  #overlap(map, shifts) {
    const { width, height } = this.#size;
    let own = 1e-9;
    let within = 0;
    this.#tiles.forEach((tile, index) => {
      const [x, y] = transformed(map, tile.x, tile.y);
      own += shifts[index].own;
      if (Math.abs(x) < width / 2 && Math.abs(y) < height / 2) within += shifts[index].own;
    });
    return within / own;
  }

  // The likeness of the edge directions at their positions, whichever side is lighter.
  #agreement(field) {
    const own = this.#view.field;
    let alike = 0;
    let most = 1e-9;
    for (let at = 0; at < own.u.length; at++) {
      const [a, b, c, d] = [own.du[at], own.dv[at], field.du[at], field.dv[at]];
      alike += a * c + b * d;
      most += Math.sqrt((a * a + b * b) * (c * c + d * d));
    }
    return alike / most;
  }
}

// The mean likeness of tiles at their mapped positions, weighted by their information.
function alikeIn(shifts) {
  let alike = 0;
  let energy = 1e-9;
  for (const shift of shifts) {
    alike += shift.alike * shift.energy;
    energy += shift.energy;
  }
  return alike / energy;
}

// The share of the tiles' information in tiles that are at their mapped positions.
function placedIn(shifts) {
  let placed = 0;
  let all = 1e-9;
  for (const { x, y, weight } of shifts) {
    all += weight;
    if (Math.hypot(x, y) <= placedWithin) placed += weight;
  }
  return placed / all;
}

const isElsewhere = (one, other, { width }) => Math.hypot(one.x - other.x, one.y - other.y)
  + (width / 2) * Math.hypot(one.a - other.a, one.b - other.b) > 0.05 * width;

// The edges of a picture, those of the picture at half size, and their amount.
function seenIn(picture) {
  const mask = withinBorder(picture);
  const field = fieldOf(picture, mask);
  return {
    field,
    half() {
      const small = halved(picture);
      return fieldOf(small, mask && halvedMask(mask, small));
    },
    texture: textureOf(picture, field),
    isDark: isDark(picture),
    isBlank: isBlank(field, mask),
  };
}

// Whether at most one pixel in twenty is light.
function isDark({ values }) {
  let light = 0;
  for (let at = 0; at < values.length; at++) if (values[at] > darkLevel) light++;
  return light < values.length / 20;
}

// The ratio of the stronger edges to noise and the texture of paper and sensors.
function textureOf(picture, { gradients }) {
  const sorted = gradients.filter((_, index) => index % 3 === 0).sort();
  return sorted[Math.floor(sorted.length * 0.9)] / (6 + 6 * noiseOf(picture));
}

function halvedMask(mask, { width, height }) {
  return Uint8Array.from({ length: width * height }, (_, index) => {
    const at = 4 * width * Math.floor(index / width) + 2 * (index % width);
    return mask[at] & mask[at + 1] & mask[at + 2 * width] & mask[at + 2 * width + 1];
  });
}
