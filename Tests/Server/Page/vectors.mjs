// Writes test vectors for other implementations of the alignment: small grey pictures, and the
// results of `align/aligner.js` and `align/advice.js`.
//
//   node Tests/Server/Page/vectors.mjs
//
// `pairs.json` has, for each pair, the offsets of its two pictures in `pictures.grey` (rows from
// the top, a byte per pixel), their size, and the result. `unit/scenes.mjs` draws the pictures.

import { mkdirSync, writeFileSync } from "node:fs";
import { advice } from "../../../Sources/Server/Page/files/align/advice.js";
import { Aligner } from "../../../Sources/Server/Page/files/align/aligner.js";
import { bordered, cutOff, scene, seen, wall } from "./unit/scenes.mjs";

const folder = new URL("vectors/", import.meta.url);
const dusk = (value, x) => (x > 0.6 ? 0.4 : 1) * 255 * (value / 255) ** 1.8;

const pairs = [
  ["the same view", 1, {}],
  ["turned", 2, { x: -0.08, y: 0.03 }],
  ["rolled and zoomed", 3, { turn: 6, zoom: 1.12, x: 0.03 }],
  ["in other light", 4, { tone: dusk, noise: 5, y: -0.05 }],
  ["a step aside", 5, { step: 0.06 }],
].map(([name, seed, by]) => ({ name, pictures: [seen(scene(seed)), seen(scene(seed), by)] }));
pairs.push(
  { name: "a print with a border", pictures: [bordered(seen(scene(6))), seen(scene(6), { x: 0.05 })] },
  { name: "another view", pictures: [seen(scene(1)), seen(scene(8))] });
pairs.push({ name: "a wall of windows", pictures: [wall(), wall(0.05)] });
pairs.push({ name: "two pictures cut off", pictures: [1, 8].map((seed) => cutOff(seen(scene(seed)))) });
pairs.push({ name: "one picture cut off", pictures: [cutOff(seen(scene(1))), seen(scene(1))] });

const bytes = [];
const known = new Map();
const rows = pairs.map(({ name, pictures: [view, picture] }) => {
  const [one, other] = [view, picture].map(({ width, height, values }) => {
    const rounded = Uint8Array.from(values);
    const key = Buffer.from(rounded).toString("base64");
    const at = known.get(key) ?? bytes.length;
    if (!known.has(key)) bytes.push(...rounded);
    known.set(key, at);
    return { at, picture: { width, height, values: Float32Array.from(rounded) } };
  });
  const aligner = new Aligner(one.picture);
  const found = aligner.align(other.picture);
  return {
    name, width: view.width, height: view.height, view: one.at, picture: other.at, found,
    advice: advice(found),
  };
});

mkdirSync(folder, { recursive: true });
writeFileSync(new URL("pictures.grey", folder), Uint8Array.from(bytes));
writeFileSync(new URL("pairs.json", folder), `${JSON.stringify(rows, null, 1)}\n`);
console.log(`${rows.length} pairs, ${bytes.length} bytes`);
