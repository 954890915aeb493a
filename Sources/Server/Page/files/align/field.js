// The directions of a picture's edges. Comparing these instead of brightness makes different light,
// seasons and films matter little. Pure.

import { blurred } from "./picture.js";

// The gradients caused by paper and sensors, in Sobel's units for grey levels.
const minimumGradient = 4;

/**
 * The edges of a picture: `{ width, height, u, v, du, dv, gradients }`.
 *
 * `u` and `v` are the gradient, with its length scaled to 0–1; gradients weaker than most of the
 * picture's count little. `du` and `dv` have twice the angle, at which dark-to-light and
 * light-to-dark edges are equal.
 *
 * - `mask`: 0 outside the picture, for example on the border of a print.
 */
export function fieldOf(picture, mask = null) {
  const { width, height } = picture;
  const { values } = blurred(picture);
  const count = width * height;
  const [u, v, du, dv, lengths] = Array.from({ length: 5 }, () => new Float32Array(count));
  for (let y = 1; y < height - 1; y++) {
    for (let x = 1; x < width - 1; x++) {
      const at = y * width + x;
      if (mask && !mask[at]) continue;
      const above = at - width;
      const below = at + width;
      const left = values[above - 1] + 2 * values[at - 1] + values[below - 1];
      const right = values[above + 1] + 2 * values[at + 1] + values[below + 1];
      const top = values[above - 1] + 2 * values[above] + values[above + 1];
      const bottom = values[below - 1] + 2 * values[below] + values[below + 1];
      u[at] = right - left;
      v[at] = bottom - top;
      lengths[at] = Math.sqrt(u[at] * u[at] + v[at] * v[at]);
    }
  }
  const usual = Math.max(minimumGradient, median(lengths));
  for (let at = 0; at < count; at++) {
    const length = lengths[at];
    if (length < 1e-3) continue;
    const weight = length / (length + usual);
    const cosine = u[at] / length;
    const sine = v[at] / length;
    u[at] = cosine * weight;
    v[at] = sine * weight;
    du[at] = (cosine * cosine - sine * sine) * weight;
    dv[at] = 2 * cosine * sine * weight;
  }
  return { width, height, u, v, du, dv, gradients: lengths };
}

// Computed from every third value, which is sufficient.
function median(values) {
  const some = new Float32Array(Math.ceil(values.length / 3));
  for (let index = 0; index < some.length; index++) some[index] = values[3 * index];
  return some.sort()[some.length >> 1];
}

/**
 * Transforms a field by a similarity: each point takes the field's value at the mapped point, with
 * directions rotated back by the map's angle. Zero where the field has no value.
 */
export function mapped(field, map) {
  const { width, height } = field;
  const result = { width, height };
  for (const name of ["u", "v", "du", "dv"]) result[name] = new Float32Array(width * height);
  const { a, b, x: shiftX, y: shiftY } = map;
  const scale = Math.sqrt(a * a + b * b);
  const [cosine, sine] = [a / scale, b / scale];
  const [cosine2, sine2] = [cosine * cosine - sine * sine, 2 * cosine * sine];
  const [middleX, middleY] = [(width - 1) / 2, (height - 1) / 2];
  const names = ["u", "v", "du", "dv"];
  const [fromU, fromV, fromDu, fromDv] = names.map((name) => field[name]);
  const [toU, toV, toDu, toDv] = names.map((name) => result[name]);
  for (let y = 0, index = 0; y < height; y++) {
    for (let x = 0; x < width; x++, index++) {
      const fromX = a * (x - middleX) - b * (y - middleY) + shiftX + middleX;
      const fromY = b * (x - middleX) + a * (y - middleY) + shiftY + middleY;
      const left = Math.floor(fromX);
      const top = Math.floor(fromY);
      if (left < 0 || top < 0 || left >= width - 1 || top >= height - 1) continue;
      const at = top * width + left;
      const below = at + width;
      const right = fromX - left;
      const low = fromY - top;
      const [w1, w2] = [(1 - right) * (1 - low), right * (1 - low)];
      const [w3, w4] = [(1 - right) * low, right * low];
      const u = w1 * fromU[at] + w2 * fromU[at + 1] + w3 * fromU[below] + w4 * fromU[below + 1];
      const v = w1 * fromV[at] + w2 * fromV[at + 1] + w3 * fromV[below] + w4 * fromV[below + 1];
      const du = w1 * fromDu[at] + w2 * fromDu[at + 1]
        + w3 * fromDu[below] + w4 * fromDu[below + 1];
      const dv = w1 * fromDv[at] + w2 * fromDv[at + 1]
        + w3 * fromDv[below] + w4 * fromDv[below + 1];
      toU[index] = cosine * u + sine * v;
      toV[index] = cosine * v - sine * u;
      toDu[index] = cosine2 * du + sine2 * dv;
      toDv[index] = cosine2 * dv - sine2 * du;
    }
  }
  return result;
}
