// What a person does so that the camera sees the old view again, from the person's side. Pure.

// From here on there is nothing more to do, in widths.
const enough = 0.02;
// Below this a movement is a small one.
const little = 0.045;
// A step is advised from here on, and beside a turn where it explains this much of it.
const leastStep = 0.015;
const stepShare = 0.4;
// The mean way of the corners for a radian of roll, and for a doubling of the zoom by e.
const cornerWay = 0.62;

/**
 * The next movement: `{ move, way, isLittle }`.
 *
 * `move` names it: `lost` while the view is not found, `hold`, or `turnLeft turnRight tiltUp
 * tiltDown rollLeft rollRight stepCloser stepBack stepLeft stepRight`, or the reason why it cannot
 * be told: `dark faint repeats`. `way` is where an arrow points: `left right up down`, else null.
 */
export function advice({ reason, isLocked, off, dx, dy, turn, zoom, step }) {
  if (reason) return { move: reason, way: null, isLittle: false };
  if (!isLocked) return { move: "lost", way: null, isLittle: false };
  const isStepping = Math.abs(step) >= leastStep;
  if (off < enough && !isStepping) return { move: "hold", way: null, isLittle: false };
  // A view that lies too far right is to the right of where the camera looks.
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

// A step aside moves what is near and what is far the same way; so where both lie too far to one
// side, and the near more so, a step puts both right and a turn does not.
function stepSize(step, dx) {
  if (Math.abs(step) < leastStep) return 0;
  const isSameWay = Math.sign(step) === Math.sign(dx) || Math.abs(dx) < leastStep;
  const explains = isSameWay && Math.abs(step) > stepShare * Math.abs(dx);
  return explains ? Math.abs(step) + Math.abs(dx) : Math.abs(step);
}
