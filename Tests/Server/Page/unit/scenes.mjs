// Drawn scenes: houses, trees and the ground, from different camera positions.

const size = { width: 128, height: 96 };

/** A generator of pseudorandom numbers between 0 and 1, from a seed (mulberry32). */
export function dice(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let value = Math.imul(state ^ (state >>> 15), state | 1);
    value ^= value + Math.imul(value ^ (value >>> 7), value | 61);
    return ((value ^ (value >>> 14)) >>> 0) / 2 ** 32;
  };
}

/**
 * A scene: shapes with a tone, in widths from the center, from back to front. Shapes with `isNear`
 * are in the foreground, in the lower half.
 */
export function scene(seed) {
  const random = dice(seed);
  const between = (least, most) => least + (most - least) * random();
  const shapes = [];
  for (let index = 0; index < 60; index++) {
    const [width, height] = [between(0.04, 0.2), between(0.04, 0.24)];
    shapes.push({
      x: between(-0.75, 0.75), y: between(-0.5, 0.15), width, height, tone: between(20, 240),
      isRound: random() < 0.3, isNear: false, lean: between(-0.2, 0.2),
    });
  }
  for (let index = 0; index < 24; index++) {
    shapes.push({
      x: between(-0.75, 0.75), y: between(0.2, 0.45), width: between(0.04, 0.16),
      height: between(0.05, 0.16), tone: between(10, 250), isRound: random() < 0.5, isNear: true,
      lean: between(-0.2, 0.2),
    });
  }
  return shapes;
}

/**
 * A scene in a camera: turned clockwise by degrees, zoomed, and shifted by `x` and `y` widths; near
 * shapes are shifted by `step` more. `tone` maps a brightness at a position to another.
 */
export function seen(shapes, {
  turn = 0, zoom = 1, x = 0, y = 0, step = 0, tone = (value) => value, noise = 0, seed = 1,
} = {}) {
  const { width, height } = size;
  const values = new Float32Array(width * height);
  const angle = (turn * Math.PI) / 180;
  const [cosine, sine] = [Math.cos(angle) / zoom, Math.sin(angle) / zoom];
  const random = dice(seed);
  const samples = [0.25, 0.75];
  for (let row = 0, index = 0; row < height; row++) {
    for (let column = 0; column < width; column++, index++) {
      let sum = 0;
      for (const right of samples) {
        for (const low of samples) {
          const across = (column + right) / width - 0.5;
          const below = (row + low - height / 2) / width;
          sum += toneAt(shapes, (dx) => [
            cosine * (across - x - dx) + sine * (below - y),
            -sine * (across - x - dx) + cosine * (below - y),
          ], step);
        }
      }
      const grain = noise * (random() + random() + random() - 1.5) * 2;
      const value = tone(sum / 4, column / width, row / height) + grain;
      values[index] = Math.round(Math.max(0, Math.min(255, value)));
    }
  }
  return { ...size, values };
}

function toneAt(shapes, at, step) {
  const far = at(0);
  const near = at(step);
  let found = 128 + 60 * far[1];
  for (const shape of shapes) {
    const [x, y] = shape.isNear ? near : far;
    const [dx, dy] = [(x - shape.x - shape.lean * (y - shape.y)) / shape.width, (y - shape.y) / shape.height];
    const isInside = shape.isRound ? dx * dx + dy * dy < 0.25 : Math.abs(dx) < 0.5 && Math.abs(dy) < 0.5;
    if (isInside) found = shape.tone;
  }
  return found;
}

/** A print with a border of paper, with curved edges. */
export function bordered(picture, tone = 245, share = 0.07) {
  const { width, height } = picture;
  const margin = share * width;
  const values = picture.values.map((value, index) => {
    const [x, y] = [index % width, Math.floor(index / width)];
    const bend = 1.5 * Math.sin(x / 9) + 1.2 * Math.cos(y / 7);
    const depth = Math.min(x, y, width - 1 - x, height - 1 - y) + bend;
    return depth < margin ? tone : value;
  });
  return { ...picture, values };
}

/** A picture whose file ends early: decoders fill the rest with grey. */
export function cutOff(picture, share = 0.25) {
  const { width, height } = picture;
  const end = Math.round(share * height) * width;
  return { ...picture, values: picture.values.map((value, index) => (index < end ? value : 128)) };
}

/** A wall of equal windows. */
export function wall(x = 0, step = 16) {
  const { width, height } = size;
  const values = Float32Array.from({ length: width * height }, (_, index) => {
    const column = ((index % width) - x * width + 10 * step) % step;
    const row = Math.floor(index / width) % step;
    return column < step / 2 && row < step * 0.6 ? 60 : 190;
  });
  return { ...size, values };
}
