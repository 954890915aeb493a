// Small grey pictures, by which views are compared. Pure.
//
// A picture is `{ width, height, values }`: rows from the top, brightness from 0 to 255.

/** The longer side of the pictures that are compared. */
export const side = 128;

// The aspect ratio beyond which only the center of a panorama is compared.
const widestShape = 2;

/**
 * The size at which a photo is compared with others: its own shape, with the longer side `side`.
 * Both sides are multiples of four.
 */
export function comparedSize({ width, height }) {
  const shape = width > 0 && height > 0 ? width / height : 1;
  const short = Math.max(1 / widestShape, Math.min(shape, 1 / shape));
  const shorter = 4 * Math.round((side * short) / 4);
  return shape >= 1 ? { width: side, height: shorter } : { width: shorter, height: side };
}

/** The largest centered part of a picture with a given shape: a crop. */
export function middle({ width, height }, shape) {
  const isWide = width > height * shape;
  const part = isWide ? { width: height * shape, height } : { width, height: width / shape };
  return { ...part, x: (width - part.width) / 2, y: (height - part.height) / 2 };
}

/** A grey picture from a canvas's pixels: red, green, blue and opacity (BT.601 luma). */
export function greyOf({ width, height, data }) {
  const values = new Float32Array(width * height);
  for (let index = 0, at = 0; index < values.length; index++, at += 4) {
    values[index] = 0.299 * data[at] + 0.587 * data[at + 1] + 0.114 * data[at + 2];
  }
  return { width, height, values };
}

/** A picture reduced to half its width and height, which must be even. */
export function halved({ width, height, values }) {
  const half = { width: width / 2, height: height / 2 };
  const means = new Float32Array(half.width * half.height);
  for (let y = 0, index = 0; y < half.height; y++) {
    for (let x = 0; x < half.width; x++, index++) {
      const at = 2 * y * width + 2 * x;
      const below = at + width;
      means[index] = (values[at] + values[at + 1] + values[below] + values[below + 1]) / 4;
    }
  }
  return { ...half, values: means };
}

/** A picture blurred by a Gaussian of 1 pixel (seven taps), mirrored beyond its edges. */
export function blurred({ width, height, values }) {
  const once = new Float32Array(values.length);
  const twice = new Float32Array(values.length);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      let sum = 0;
      for (let tap = -3; tap <= 3; tap++) {
        sum += gauss[tap + 3] * values[y * width + mirrored(x + tap, width)];
      }
      once[y * width + x] = sum;
    }
  }
  for (let y = 0; y < height; y++) {
    for (let tap = -3; tap <= 3; tap++) {
      const weight = gauss[tap + 3];
      const from = mirrored(y + tap, height) * width;
      for (let x = 0; x < width; x++) twice[y * width + x] += weight * once[from + x];
    }
  }
  return { width, height, values: twice };
}

const gauss = [0.00443, 0.05401, 0.24204, 0.39905, 0.24204, 0.05401, 0.00443];

const mirrored = (index, count) =>
  (index < 0 ? -index : index >= count ? 2 * count - 2 - index : index);

/** The standard deviation of the noise in a picture (Immerkær 1996), in grey levels. */
export function noiseOf({ width, height, values }) {
  let sum = 0;
  for (let y = 1; y < height - 1; y++) {
    for (let x = 1; x < width - 1; x++) {
      const at = y * width + x;
      sum += Math.abs(4 * values[at]
        - 2 * (values[at - 1] + values[at + 1] + values[at - width] + values[at + width])
        + values[at - width - 1] + values[at - width + 1]
        + values[at + width - 1] + values[at + width + 1]);
    }
  }
  return (sum * Math.sqrt(Math.PI / 2)) / (6 * (width - 2) * (height - 2));
}
