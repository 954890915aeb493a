// The evaluation of measurements: whether two pictures show the same view, how well they match, or
// why that is unknown. Pure.

// The likeness below which pictures show different places, and above which they show one view; in
// between it is uncertain (Benchmarks/README.md).
const unlike = 0.22;
const alike = 0.36;
const lockedFrom = 0.3;
// The share of the best likeness from which another candidate may also be correct.
const rivalShare = 0.88;
// The contrast below which a picture's edges hardly exceed its noise.
const minimumTexture = 1.6;
// The offset in widths by which the score falls by the factor e.
const fall = 0.07;
// The maximum contribution of edges that match by chance.
const chance = 0.25;

/**
 * Evaluates a measurement, and returns it with `{ isLocked, reason, off, score }`.
 *
 * - `reason`: null, or why the match is unknown: `dark`, `faint`, or `repeats` if the view matches
 *  equally well in several places. Then `score` is null.
 * - `off`: the view's distance from its place, in widths of the picture.
 * - `score`: from 0 to 1; 0.75 is 2 % of the width away.
 */
export function judged(measured) {
  const off = measured.way + measured.spread;
  const repeats = measured.alike >= lockedFrom && measured.rival > rivalShare;
  const isLocked = measured.alike >= lockedFrom && !repeats && !measured.isBlank;
  const isFaint = measured.isBlank || measured.texture < minimumTexture;
  const faintness = isFaint ? (measured.isDark ? "dark" : "faint") : null;
  const reason = isLocked ? null : repeats && !measured.isBlank ? "repeats" : faintness;
  const sure = Math.min(1, Math.max(0, (measured.alike - unlike) / (alike - unlike)));
  const unsure = (1 - sure) * chance * Math.max(0, measured.agreement);
  const score = sure * Math.exp(-off / fall) + unsure;
  return { ...measured, off, isLocked, reason, score: reason ? null : Math.min(1, score) };
}
