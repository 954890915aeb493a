// The movement by which a person gets the camera back to the old view. Pure.

// The offset, in widths, below which no movement is needed.
const enough = 0.02;
// The offset below which a movement is small.
const little = 0.045;
// The parallax from which a step is advised, and the share of a turn it must explain.
const minimumStep = 0.015;
const stepShare = 0.4;
// The mean displacement of the corners per radian of roll, and per factor e of zoom.
const cornerWay = 0.62;

/**
 * The next movement: `{ move, way, isLittle }`.
 *
 * `move` is its name: `lost` while the view is not found, `hold`, or `turnLeft turnRight tiltUp
 * tiltDown rollLeft rollRight stepCloser stepBack stepLeft stepRight`, or the reason why it is
 * unknown: `dark faint repeats`. `way` is the direction of an arrow: `left right up down`, else
 * null.
 */
export function advice({ reason, isLocked, off, dx, dy, turn, zoom, step }) {
  if (reason) return { move: reason, way: null, isLittle: false };
  if (!isLocked) return { move: "lost", way: null, isLittle: false };
  const isStepping = Math.abs(step) >= minimumStep;
  if (off < enough && !isStepping) return { move: "hold", way: null, isLittle: false };
  // If the view appears too far right, the camera must turn right.
  const moves = [
    { size: Math.abs(dx), move: dx > 0 ? "turnRight" : "turnLeft", way: dx > 0 ? "right" : "left" },
    { size: Math.abs(dy), move: dy > 0 ? "tiltDown" : "tiltUp", way: dy > 0 ? "down" : "up" },
    {
      size: (Math.abs(turn) * Math.PI * cornerWay) / 180,
      move: turn > 0 ? "rollRight" : "rollLeft", way: null,
    },
    {
      size: Math.abs(Math.log(zoom)) * cornerWay,
      move: zoom > 1 ? "stepBack" : "stepCloser", way: null,
    },
    {
      size: stepSize(step, dx),
      move: step > 0 ? "stepRight" : "stepLeft", way: step > 0 ? "right" : "left",
    },
  ];
  const { move, way, size } = moves.reduce((most, one) => (one.size > most.size ? one : most));
  return { move, way, isLittle: size < little };
}

// A sidestep moves near and far things in the same direction. So if both appear too far to one
// side, the near ones more so, a step corrects both and a turn does not.
function stepSize(step, dx) {
  if (Math.abs(step) < minimumStep) return 0;
  const isSameWay = Math.sign(step) === Math.sign(dx) || Math.abs(dx) < minimumStep;
  const explains = isSameWay && Math.abs(step) > stepShare * Math.abs(dx);
  return explains ? Math.abs(step) + Math.abs(dx) : Math.abs(step);
}
