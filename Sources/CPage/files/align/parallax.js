// What lies nearer than the rest: it moves more when the camera stands aside. Pure.

import { commonShift, residual } from "./tiles.js";

// A tile agrees with others within this many pixels.
const agreement = 1.6;
// A shear is seen from this many widths on, between the top and the bottom of the picture.
const leastShear = 0.012;
// A thing that stands nearer has as many tiles, and as much of what they say.
const leastTiles = 2;
const leastShare = 0.05;
// Of the tiles that lie apart from the rest, this much lies in one plane; else people walked by.
const leastAgreement = 0.5;
// How much lower a plane's middle must lie to be taken as the nearer one, in heights.
const leastLower = 0.04;

/**
 * How planes lie apart sideways: `{ step, spread }`, in widths.
 *
 * `step` is how far what is near lies too far right in the picture, against what is far; below zero
 * it lies too far left. The lower of two planes is taken as the nearer one. `spread` is how far the
 * tiles lie from where the similarity leads them, on the average.
 *
 * - `shifts`: those that are left after the similarity.
 */
export function parallaxOf(tiles, shifts, { width, height }) {
  const fit = commonShift(tiles, shifts, { hasShear: true, reach: 4 });
  if (!fit) return { step: 0, spread: 0 };
  const plane = planeApart(tiles, shifts, fit, height);
  const shear = (fit.k * height) / width;
  const step = Math.abs(plane.step) > Math.abs(fit.k * height) ? plane.step / width
    : Math.abs(shear) >= leastShear ? shear : 0;
  return { step, spread: step === 0 ? 0 : plane.spread / width };
}

// Tiles that lie apart from what most have in common: whether they are a plane of their own.
function planeApart(tiles, shifts, fit, height) {
  const all = tiles.map((tile, index) => {
    const [x, y] = residual(fit, tile, shifts[index]);
    return { tile, x, y, shear: fit.k * tile.y, weight: shifts[index].weight };
  }).filter(({ weight, y }) => weight > 0 && Math.abs(y) <= agreement);
  const inside = all.filter(({ x }) => Math.abs(x) <= agreement);
  const outside = all.filter(({ x }) => Math.abs(x) > agreement);
  const middle = weightedMedian(outside);
  const plane = outside.filter(({ x }) => Math.abs(x - middle) <= agreement);
  const [total, out, one] = [all, outside, plane].map(weightOf);
  const lower = (mean(plane, ({ tile }) => tile.y) - mean(inside, ({ tile }) => tile.y)) / height;
  const isPlane = plane.length >= leastTiles && one >= leastShare * total
    && one >= leastAgreement * out && Math.abs(lower) >= leastLower;
  const moved = isPlane ? [...inside, ...plane] : inside;
  return {
    step: isPlane ? Math.sign(lower) * mean(plane, ({ x, shear }) => x + shear) : 0,
    spread: mean(moved, ({ x, shear }) => Math.abs((Math.abs(x) > agreement ? x : 0) + shear)),
  };
}

const weightOf = (tiles) => tiles.reduce((sum, { weight }) => sum + weight, 0);

const mean = (tiles, value) =>
  tiles.reduce((sum, tile) => sum + tile.weight * value(tile), 0) / (weightOf(tiles) || 1);

function weightedMedian(tiles) {
  const half = weightOf(tiles) / 2;
  let sum = 0;
  const sorted = [...tiles].sort((one, other) => one.x - other.x);
  return sorted.find(({ weight }) => (sum += weight) >= half)?.x ?? 0;
}
