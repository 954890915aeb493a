// Similarities of the plane: a turn, a zoom and a shift, about the middle of a picture. Pure.
//
// `{ a, b, x, y }` maps the point (p, q) to (a·p − b·q + x, b·p + a·q + y), in pixels from the
// center, with y downwards. `a + i·b` is the zoom times the rotation, clockwise on the screen.

/** The identity. */
export const identity = { a: 1, b: 0, x: 0, y: 0 };

/** A similarity of a clockwise turn in degrees, a zoom, and a shift. */
export function similarity({ turn = 0, zoom = 1, x = 0, y = 0 }) {
  const radians = (turn * Math.PI) / 180;
  return { a: zoom * Math.cos(radians), b: zoom * Math.sin(radians), x, y };
}

/** The turn of a similarity in degrees, clockwise. */
export const turnOf = ({ a, b }) => (Math.atan2(b, a) * 180) / Math.PI;

/** The zoom of a similarity. */
export const zoomOf = ({ a, b }) => Math.sqrt(a * a + b * b);

/** Maps a point by a similarity. */
export const transformed = ({ a, b, x, y }, p, q) => [a * p - b * q + x, b * p + a * q + y];

/** The composition of two similarities, applied in this order. */
export function composed(first, then) {
  const [x, y] = transformed(then, first.x, first.y);
  return {
    a: then.a * first.a - then.b * first.b, b: then.b * first.a + then.a * first.b, x, y,
  };
}

/** The inverse of a similarity. */
export function inverse({ a, b, x, y }) {
  const square = a * a + b * b;
  const back = { a: a / square, b: -b / square, x: 0, y: 0 };
  const [backX, backY] = transformed(back, x, y);
  return { ...back, x: -backX, y: -backY };
}

/** The mean displacement of a picture's corners by a similarity, in widths of the picture. */
export function meanCornerShift(map, { width, height }) {
  let sum = 0;
  for (const p of [-width / 2, width / 2]) {
    for (const q of [-height / 2, height / 2]) {
      const [x, y] = transformed(map, p, q);
      sum += Math.hypot(x - p, y - q);
    }
  }
  return sum / (4 * width);
}
