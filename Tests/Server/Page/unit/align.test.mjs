// The alignment of old views, in drawn scenes with a known displacement.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { advice } from "../../../../Sources/Server/Page/files/align/advice.js";
import { Aligner } from "../../../../Sources/Server/Page/files/align/aligner.js";
import { withinBorder } from "../../../../Sources/Server/Page/files/align/border.js";
import { Fourier } from "../../../../Sources/Server/Page/files/align/fourier.js";
import {
  comparedSize, greyOf, halved, middle, noiseOf,
} from "../../../../Sources/Server/Page/files/align/picture.js";
import {
  meanCornerShift, composed, identity, inverse, transformed, similarity, turnOf, zoomOf,
} from "../../../../Sources/Server/Page/files/align/similarity.js";
import { bordered, cutOff, dice, scene, seen, wall } from "./scenes.mjs";

const close = (a, b, within, told = "") =>
  assert.ok(Math.abs(a - b) <= within, `${told} ${a} is not ${b}`);
const seeds = [1, 2, 3, 4, 5, 6, 7, 8];
const score = (found) => Math.round(100 * (found.score ?? 0));

test("the Fourier transform matches its definition, and its inverse restores the field", () => {
  const size = 8;
  const random = dice(1);
  const [re, im] = [0, 1].map(() => Float64Array.from({ length: size * size }, random));
  const [spectrumRe, spectrumIm] = [re.slice(), im.slice()];
  const fourier = new Fourier(size);
  fourier.forward(spectrumRe, spectrumIm);
  const sums = [];
  for (let v = 0; v < size; v++) {
    for (let u = 0; u < size; u++) {
      let [real, imaginary] = [0, 0];
      for (let at = 0; at < size * size; at++) {
        const angle = (-2 * Math.PI * (u * (at % size) + v * Math.floor(at / size))) / size;
        real += re[at] * Math.cos(angle) - im[at] * Math.sin(angle);
        imaginary += re[at] * Math.sin(angle) + im[at] * Math.cos(angle);
      }
      sums.push([real, imaginary]);
    }
  }
  // The output is not in order, and transposed: only the values are compared.
  const byValue = ([a], [b]) => a - b;
  const found = [...spectrumRe].map((real, at) => [real, spectrumIm[at]]).sort(byValue);
  sums.sort(byValue).forEach(([real, imaginary], index) => {
    close(found[index][0], real, 1e-9);
    close(found[index][1], imaginary, 1e-9);
  });
  fourier.backward(spectrumRe, spectrumIm);
  spectrumRe.forEach((value, at) => close(value / size ** 2, re[at], 1e-12));
  spectrumIm.forEach((value, at) => close(value / size ** 2, im[at], 1e-12));
});

test("multiplying two spectra gives the cross-correlation of their fields", () => {
  const size = 16;
  const fourier = new Fourier(size);
  const field = (x, y) => {
    const re = new Float64Array(size * size);
    re[y * size + x] = 1;
    const im = new Float64Array(size * size);
    fourier.forward(re, im);
    return { re, im };
  };
  const [one, other] = [field(3, 4), field(8, 6)];
  const re = one.re.map((value, at) => other.re[at] * value + other.im[at] * one.im[at]);
  const im = one.re.map((value, at) => other.im[at] * value - other.re[at] * one.im[at]);
  fourier.backward(re, im);
  assert.equal(re.indexOf(Math.max(...re)), 2 * size + 5);
});

test("a similarity followed by its inverse is the identity", () => {
  const map = similarity({ turn: 7, zoom: 1.1, x: 5, y: -3 });
  close(turnOf(map), 7, 1e-9);
  close(zoomOf(map), 1.1, 1e-9);
  const back = composed(map, inverse(map));
  for (const name of ["a", "b", "x", "y"]) close(back[name], identity[name], 1e-9, name);
  assert.deepEqual(transformed(similarity({ x: 2, y: 1 }), 3, 4), [5, 5]);
  close(meanCornerShift(similarity({ x: 12.8 }), { width: 128, height: 96 }), 0.1, 1e-9);
});

test("pictures keep the photo's aspect ratio, and a panorama is cropped to its middle", () => {
  assert.deepEqual(comparedSize({ width: 4000, height: 3000 }), { width: 128, height: 96 });
  assert.deepEqual(comparedSize({ width: 3000, height: 4000 }), { width: 96, height: 128 });
  assert.deepEqual(comparedSize({ width: 1, height: 60000 }), { width: 64, height: 128 });
  assert.deepEqual(comparedSize({ width: 0, height: 0 }), { width: 128, height: 128 });
  assert.deepEqual(middle({ width: 200, height: 100 }, 1), { x: 50, y: 0, width: 100, height: 100 });
  assert.deepEqual(middle({ width: 100, height: 200 }, 1), { x: 0, y: 50, width: 100, height: 100 });
  const pixel = greyOf({ width: 1, height: 1, data: [255, 255, 255, 255] });
  close(pixel.values[0], 255, 1e-3);
});

test("noise is measured despite edges", () => {
  const shapes = scene(1);
  const [clean, noisy] = [0, 8].map((noise) => noiseOf(seen(shapes, { noise })));
  assert.ok(noisy - clean > 3, `${noisy} ${clean}`);
});

test("recovers shift, rotation and zoom", () => {
  for (const seed of seeds) {
    const shapes = scene(seed);
    const aligner = new Aligner(seen(shapes));
    const random = dice(seed);
    const by = {
      x: 0.2 * (random() - 0.5), y: 0.2 * (random() - 0.5), turn: 12 * (random() - 0.5),
      zoom: Math.exp(0.3 * (random() - 0.5)),
    };
    const found = aligner.align(seen(shapes, by));
    const told = `seed ${seed}`;
    assert.ok(found.isLocked, told);
    close(found.dx, by.x, 0.006, told);
    close(found.dy, by.y, 0.006, told);
    close(found.turn, by.turn, 0.7, told);
    close(found.zoom, by.zoom, 0.02, told);
  }
});

test("the same view scores ≥ 75, one shifted by 8 % < 50, another view < 25", () => {
  for (const seed of seeds) {
    const aligner = new Aligner(seen(scene(seed)));
    const at = (by) => aligner.align(seen(scene(seed), { noise: 3, ...by }));
    assert.ok(score(at({})) >= 75, `seed ${seed}: ${score(at({}))}`);
    assert.equal(advice(at({})).move, "hold");
    assert.ok(score(at({ x: -0.08 })) < 50, `seed ${seed}`);
    const other = aligner.align(seen(scene(seed + 100)));
    assert.ok(score(other) < 25 && !other.isLocked, `seed ${seed}: ${score(other)}`);
  }
});

test("a picture that is cut off or almost plain matches nothing, not even itself", () => {
  for (const seed of seeds) {
    const cut = cutOff(seen(scene(seed)));
    const plain = seen(scene(seed));
    plain.values = plain.values.map((value) => Math.round(120 + value / 255));
    for (const blank of [cut, plain]) {
      for (const other of [blank, cutOff(seen(scene(seed + 100))), seen(scene(seed))]) {
        for (const [view, picture] of [[blank, other], [other, blank]]) {
          const found = new Aligner(view).align(picture);
          assert.ok(!found.isLocked && found.score === null, `seed ${seed}`);
          assert.equal(found.reason, "faint", `seed ${seed}`);
        }
      }
    }
  }
});

test("light, shadow and fading hardly change the alignment", () => {
  const looks = {
    dark: (value) => 255 * (value / 255) ** 2.2, light: (value) => 255 * (value / 255) ** 0.45,
    shadow: (value, x) => (x > 0.55 ? 0.45 * value : value),
    faded: (value) => 90 + 0.4 * value,
  };
  for (const [look, tone] of Object.entries(looks)) {
    for (const seed of seeds.slice(0, 4)) {
      const found = new Aligner(seen(scene(seed)))
        .align(seen(scene(seed), { x: 0.05, tone, noise: 4 }));
      assert.ok(found.isLocked, `${look}, seed ${seed}: ${found.alike}`);
      close(found.dx, 0.05, 0.008, look);
    }
  }
});

test("the advice compensates the displacement", () => {
  const cases = [
    [{ x: 0.1 }, "turnRight"], [{ x: -0.1 }, "turnLeft"], [{ y: 0.1 }, "tiltDown"],
    [{ y: -0.1 }, "tiltUp"], [{ turn: 8 }, "rollRight"], [{ turn: -8 }, "rollLeft"],
    [{ zoom: 1.15 }, "stepBack"], [{ zoom: 0.87 }, "stepCloser"],
  ];
  for (const [by, move] of cases) {
    for (const seed of seeds.slice(0, 4)) {
      const found = new Aligner(seen(scene(seed))).align(seen(scene(seed), by));
      assert.equal(advice(found).move, move, `seed ${seed}, ${JSON.stringify(found)}`);
    }
  }
});

test("a sideways offset gives the advice to step back to the view", () => {
  let [right, all] = [0, 0];
  for (const seed of seeds) {
    const aligner = new Aligner(seen(scene(seed)));
    for (const step of [-0.07, -0.04, 0.04, 0.07]) {
      const { move } = advice(aligner.align(seen(scene(seed), { step })));
      assert.notEqual(move, step > 0 ? "stepLeft" : "stepRight", `seed ${seed}, step ${step}`);
      right += move === (step > 0 ? "stepRight" : "stepLeft");
      all += 1;
    }
  }
  assert.ok(right >= 0.9 * all, `${right} of ${all}`);
});

test("a sideways offset lowers the score", () => {
  for (const seed of seeds) {
    const aligner = new Aligner(seen(scene(seed)));
    const [still, aside] = [0, 0.08].map((step) => aligner.align(seen(scene(seed), { step })).score);
    assert.ok(aside < still - 0.08, `seed ${seed}: ${aside}, ${still}`);
  }
});

test("a repeating pattern has no score", () => {
  for (const x of [0.05, 0.2]) {
    const found = new Aligner(wall()).align(wall(x));
    assert.equal(found.reason, "repeats");
    assert.equal(found.score, null);
    assert.equal(advice(found).move, "repeats");
  }
});

test("dark and foggy pictures have no score", () => {
  for (const seed of seeds) {
    const aligner = new Aligner(seen(scene(seed)));
    const night = aligner.align(seen(scene(seed), { tone: (value) => 8 + value * 0.01, noise: 6 }));
    assert.equal(night.reason, "dark", `seed ${seed}`);
    assert.equal(night.score, null);
    const fog = aligner.align(seen(scene(seed), { tone: (value) => 200 + value * 0.004, noise: 3 }));
    assert.equal(fog.reason, "faint", `seed ${seed}`);
    const black = aligner.align({ width: 128, height: 96, values: new Float32Array(128 * 96) });
    assert.equal(black.reason, "dark");
  }
});

test("the paper border around a print is ignored", () => {
  for (const seed of seeds.slice(0, 4)) {
    for (const tone of [245, 225, 12]) {
      const print = bordered(seen(scene(seed)), tone);
      const mask = withinBorder(print);
      assert.ok(mask, `seed ${seed}, ${tone}`);
      assert.equal(mask[48 * 128 + 64], 1);
      assert.equal(mask[3 * 128 + 3], 0);
      const found = new Aligner(print).align(seen(scene(seed), { x: 0.06, turn: 2 }));
      assert.ok(found.isLocked, `seed ${seed}, ${tone}`);
      close(found.dx, 0.06, 0.008);
      // Two different prints are not matched by their identical borders.
      const other = new Aligner(print).align(bordered(seen(scene(seed + 50)), tone));
      assert.ok(!other.isLocked, `seed ${seed}, ${tone}: ${other.alike}`);
    }
  }
  assert.equal(withinBorder(seen(scene(1))), null);
});

test("a tracked view is followed, and found again after it was lost", () => {
  const shapes = scene(3);
  const aligner = new Aligner(seen(shapes));
  for (const x of [0.1, 0.09, 0.07, 0.05, 0.02, 0]) {
    const found = aligner.align(seen(shapes, { x }), { isTracking: true });
    assert.ok(found.isLocked);
    close(found.dx, x, 0.006);
  }
  assert.ok(!aligner.align(seen(scene(77)), { isTracking: true }).isLocked);
  assert.ok(aligner.align(seen(shapes, { x: -0.1 }), { isTracking: true }).isLocked);
  // A jump while the view is tracked.
  close(aligner.align(seen(shapes, { x: 0.15 }), { isTracking: true }).dx, 0.15, 0.006);
});

test("a uniform picture has no score and finite results", () => {
  const flat = { width: 128, height: 96, values: new Float32Array(128 * 96).fill(128) };
  const found = new Aligner(flat).align(flat);
  assert.equal(found.reason, "faint");
  for (const name of ["dx", "dy", "turn", "zoom", "off", "step"]) {
    assert.ok(Number.isFinite(found[name]), name);
  }
  assert.equal(new Aligner(flat).align(seen(scene(1))).score, null);
  assert.equal(halved(flat).values.length, 64 * 48);
});

test("portrait pictures are aligned too", () => {
  const upright = (picture) => ({
    width: picture.height, height: picture.width,
    values: Float32Array.from(picture.values, (_, index) =>
      picture.values[(index % picture.height) * picture.width + Math.floor(index / picture.height)]),
  });
  const shapes = scene(5);
  const found = new Aligner(upright(seen(shapes))).align(upright(seen(shapes, { x: 0.06 })));
  assert.ok(found.isLocked);
  // A sideways shift is now a vertical one, and the width is the shorter side.
  close(found.dy, (0.06 * 128) / 96, 0.008);
});

test("scores decrease with displacement, and other views score lower", () => {
  const random = dice(11);
  const rows = [];
  for (let seed = 20; seed < 34; seed++) {
    const aligner = new Aligner(seen(scene(seed)));
    for (let index = 0; index < 4; index++) {
      const by = {
        x: 0.2 * (random() - 0.5) * random(), y: 0.15 * (random() - 0.5) * random(),
        turn: 10 * (random() - 0.5) * random(), zoom: Math.exp(0.3 * (random() - 0.5) * random()),
      };
      const gamma = Math.exp(1.4 * (random() - 0.5));
      const found = aligner.align(seen(scene(seed), {
        ...by, noise: 6, seed, tone: (value, x) => (x > 0.7 ? 0.5 : 1) * 255 * (value / 255) ** gamma,
      }));
      const way = meanCornerShift(similarity({ ...by, x: 128 * by.x, y: 128 * by.y }), { width: 128, height: 96 });
      rows.push({ way, score: found.score ?? 0, isLocked: found.isLocked });
    }
    const other = aligner.align(seen(scene(seed + 500), { noise: 6 }));
    rows.push({ way: Infinity, score: other.score ?? 0, isLocked: other.isLocked });
  }
  const views = rows.filter(({ way }) => way < Infinity);
  const others = rows.filter(({ way }) => way === Infinity);
  assert.ok(views.filter(({ isLocked }) => isLocked).length >= 0.97 * views.length);
  assert.equal(others.filter(({ isLocked }) => isLocked).length, 0);
  const near = views.filter(({ way }) => way < 0.03);
  const far = [...views.filter(({ way }) => way > 0.06), ...others];
  const wins = near.flatMap(({ score: one }) => far.map((row) => one > row.score));
  assert.ok(near.length > 5 && wins.filter(Boolean).length >= 0.995 * wins.length);
  // Of two pictures, the one displaced by a hundredth more has the lower score.
  const pairs = views.flatMap((one) => views.filter(({ way }) => way > one.way + 0.01)
    .map((other) => one.score > other.score));
  assert.ok(pairs.filter(Boolean).length >= 0.985 * pairs.length);
});

test("results match the shared vectors", () => {
  const folder = new URL("../vectors/", import.meta.url);
  const pixels = readFileSync(new URL("pictures.grey", folder));
  const rows = JSON.parse(readFileSync(new URL("pairs.json", folder)));
  assert.ok(rows.length >= 8);
  for (const row of rows) {
    const [view, picture] = [row.view, row.picture].map((at) => ({
      width: row.width, height: row.height,
      values: Float32Array.from(pixels.subarray(at, at + row.width * row.height)),
    }));
    const found = new Aligner(view).align(picture);
    for (const [name, value] of Object.entries(row.found)) {
      if (typeof value === "number") close(found[name], value, 0.01, `${row.name}, ${name}:`);
      else assert.equal(found[name], value, `${row.name}, ${name}`);
    }
    assert.deepEqual(advice(found), row.advice, row.name);
  }
});
