// Parallax: near things move more than far ones when the camera moves sideways. Pure.

import { commonShift, residual } from "./tiles.js";

// The maximum distance in pixels at which tiles agree.
const agreement = 1.6;
// The minimum shear in widths, between the top and the bottom of the picture.
const minimumShear = 0.012;
// The minimum number of tiles, and share of their information, of a near thing.
const minimumTiles = 2;
const minimumShare = 0.05;
// The share of the deviating tiles that must be in one plane; otherwise people walked by.
const minimumAgreement = 0.5;
// The minimum distance of a plane's center below another's to count as nearer, in heights.
const minimumLower = 0.04;

/**
 * The sideways parallax between planes: `{ step, spread }`, in widths.
 *
 * `step` is the shift of near things to the right, relative to far ones; it is negative for a shift
 * to the left. The lower of two planes counts as the nearer one. `spread` is the mean distance of
 * the tiles from their mapped positions.
 *
 * - `shifts`: those that remain after the similarity.
 */
export function parallaxOf(tiles, shifts, { width, height }) {
  const fit = commonShift(tiles, shifts, { hasShear: true, reach: 4 });
  if (!fit) return { step: 0, spread: 0 };
  const plane = planeApart(tiles, shifts, fit, height);
  const shear = (fit.k * height) / width;
  const step = Math.abs(plane.step) > Math.abs(fit.k * height) ? plane.step / width
    : Math.abs(shear) >= minimumShear ? shear : 0;
  return { step, spread: step === 0 ? 0 : plane.spread / width };
}

// Finds out whether the tiles that deviate from the majority form a plane.
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
  const isPlane = plane.length >= minimumTiles && one >= minimumShare * total
    && one >= minimumAgreement * out && Math.abs(lower) >= minimumLower;
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
