// What is made of what was measured: whether two pictures show one view, how well they lie on each
// other, or that it cannot be told. Pure.

// Pictures of other places are at most as alike as the first, those of one view hardly less than
// the second; between both it is unsure (Benchmarks/README.md).
const unlike = 0.22;
const alike = 0.36;
const lockedFrom = 0.3;
// Another place that is as alike as this share of the best may be the right one as well.
const rivalShare = 0.88;
// Below this the edges of a picture hardly stand out of its noise.
const leastTexture = 1.6;
// The score falls by the factor e for so many widths.
const fall = 0.07;
// The most that directions which agree by chance can add.
const chance = 0.25;

/**
 * Judges a measurement, and gives it with `{ isLocked, reason, off, score }`.
 *
 * - `reason`: null, or why it cannot be told how the pictures lie on each other: `dark`, `faint`,
 *   or `repeats` where the view lies equally well in several places. Then `score` is null.
 * - `off`: how far the view lies from its place, in widths of the picture.
 * - `score`: from 0 to 1; 0.75 is 2 % of the width away.
 */
export function judged(measured) {
  const off = measured.way + measured.spread;
  const repeats = measured.alike >= lockedFrom && measured.rival > rivalShare;
  const isLocked = measured.alike >= lockedFrom && !repeats;
  const isFaint = measured.texture < leastTexture;
  const reason = isLocked ? null
    : repeats ? "repeats" : isFaint ? (measured.isDark ? "dark" : "faint") : null;
  const sure = Math.min(1, Math.max(0, (measured.alike - unlike) / (alike - unlike)));
  const unsure = (1 - sure) * chance * Math.max(0, measured.agreement);
  const score = sure * Math.exp(-off / fall) + unsure;
  return { ...measured, off, isLocked, reason, score: reason ? null : Math.min(1, score) };
}
