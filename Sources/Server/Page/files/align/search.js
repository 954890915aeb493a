// Searches a whole picture for a view: rotated, zoomed and shifted. Pure.

import { mapped } from "./field.js";
import { Fourier } from "./fourier.js";
import { inverse, similarity } from "./similarity.js";

const turns = [-12, -9, -6, -3, 0, 3, 6, 9, 12];
const zooms = [0.74, 0.82, 0.91, 1, 1.1, 1.22, 1.35];
const size = 64;
const fourier = new Fourier(size);
// The minimum distance in pixels between two candidates.
const apart = 4;

/**
 * Finds candidate positions of a view in pictures, by correlation over all rotations, zooms and
 * shifts.
 *
 * It uses fields whose longer side is at most 64 pixels. Shifts wrap around the edges, which the
 * window functions make harmless.
 */
export class Search {
  #templates = [];

  /** Creates a search for the view that a field shows. */
  constructor(field) {
    const weights = windowOf(field);
    for (const zoom of zooms) {
      for (const turn of turns) {
        const seen = mapped(field, inverse(similarity({ turn, zoom })));
        this.#templates.push({ turn, zoom, ...spectraOf(seen, weights) });
      }
    }
    this.weights = weights;
  }

  /**
   * The best candidates for the view in a field, best first: `{ turn, zoom, x, y, peak }`, with the
   * shift in the field's pixels.
   *
   * - `most`: the maximum number, each with a different rotation, zoom or shift.
   */
  places(field, most) {
    const seen = spectraOf(field, this.weights);
    const found = this.#templates.map((template) => placeOf(template, seen));
    found.sort((one, other) => other.peak - one.peak);
    // A repeating pattern has several positions with the same rotation and zoom.
    const { template, x, y } = found[0];
    found.splice(1, 0, placeOf(template, seen, { x, y }));
    const places = [];
    for (const place of found) {
      if (places.length === most) break;
      if (places.every((other) => isAnother(place, other))) places.push(place);
    }
    return places;
  }
}

// Neighbors in the grid lead to the same position.
const isAnother = (one, other) => Math.hypot(one.x - other.x, one.y - other.y) > apart
  || Math.abs(one.turn - other.turn) > 3.5 || Math.abs(Math.log(one.zoom / other.zoom)) > 0.12;

const products = { re: new Float64Array(size * size), im: new Float64Array(size * size) };

// The best position, or the best at a distance from `taken`.
function placeOf(template, seen, taken = null) {
  const { turn, zoom, single, double, energy } = template;
  const { re, im } = products;
  multiply(single, seen.single, double, seen.double, re, im);
  fourier.backward(re, im);
  let at = -1;
  for (let index = 0; index < re.length; index++) {
    if (at >= 0 && re[index] <= re[at]) continue;
    if (!taken || !isBeside(index, taken)) at = index;
  }
  return {
    template, turn, zoom, x: signed(at % size), y: signed(Math.floor(at / size)),
    peak: re[at] / (size * size * Math.sqrt(energy * seen.energy) + 1e-9),
  };
}

const signed = (place) => (place > size / 2 ? place - size : place);

const isBeside = (index, { x, y }) => Math.hypot(
  signed((index % size - x + 2 * size) % size),
  signed((Math.floor(index / size) - y + 2 * size) % size)) <= apart;

// The product of the picture's spectrum and the conjugate of the view's, for both directions.
function multiply(single, seen, double, seenDouble, re, im) {
  for (let index = 0; index < re.length; index++) {
    const a = seen.re[index];
    const b = seen.im[index];
    const c = single.re[index];
    const d = single.im[index];
    const e = seenDouble.re[index];
    const f = seenDouble.im[index];
    const g = double.re[index];
    const h = double.im[index];
    re[index] = a * c + b * d + e * g + f * h;
    im[index] = b * c - a * d + f * g - e * h;
  }
}

function spectraOf(field, weights) {
  const single = spectrumOf(field.u, field.v, field, weights);
  const double = spectrumOf(field.du, field.dv, field, weights);
  return { single, double, energy: single.energy + double.energy };
}

function spectrumOf(across, down, { width, height }, weights) {
  const re = new Float64Array(size * size);
  const im = new Float64Array(size * size);
  let energy = 0;
  for (let y = 0, from = 0; y < height; y++) {
    for (let x = 0; x < width; x++, from++) {
      const at = y * size + x;
      re[at] = across[from] * weights[from];
      im[at] = down[from] * weights[from];
      energy += re[at] * re[at] + im[at] * im[at];
    }
  }
  fourier.forward(re, im);
  return { re, im, energy };
}

// The square root of Hann's window: the product of two of them is zero at the edges.
function windowOf({ width, height }) {
  const sine = (index, count) => Math.sin((Math.PI * (index + 1)) / (count + 1));
  return Float32Array.from({ length: width * height },
    (_, index) => sine(index % width, width) * sine(Math.floor(index / width), height));
}
