// The files of outlines, and their format.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { OutlineError, readOutlines } from "../../../../Sources/Server/Page/files/map/outlines.js";
import { xOf, yOf } from "../../../../Sources/Server/Page/files/map/mercator.js";

const read = (name) => {
  const bytes = readFileSync(new URL(`../../../../Sources/Server/Page/files/${name}`, import.meta.url));
  return bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
};

/** Whether a position is on land: a ray from it crosses the rings' arcs an odd number of times. */
function isLand({ arcs, rings }, latitude, longitude) {
  const [x, y] = [xOf(longitude), yOf(latitude)];
  let crossings = 0;
  for (const ring of rings) {
    for (const part of ring.arcs) {
      const { points } = arcs[part < 0 ? ~part : part];
      for (let i = 0; i + 3 < points.length; i += 2) {
        const [x0, y0, x1, y1] = points.subarray(i, i + 4);
        if (y0 > y !== y1 > y && x < x0 + ((y - y0) / (y1 - y0)) * (x1 - x0)) crossings++;
      }
    }
  }
  return crossings % 2 === 1;
}

for (const name of ["world-110.bin", "world-50.bin"]) {
  const world = readOutlines(read(name));

  test(`${name} has land and sea at known positions`, () => {
    for (const [latitude, longitude] of [[48.86, 2.35], [40, -100], [-25, 135], [0, 25], [60, 100]]) {
      assert.ok(isLand(world, latitude, longitude), `${latitude}, ${longitude}`);
    }
    for (const [latitude, longitude] of [[30, -40], [0, -140], [-40, 80], [35, 18]]) {
      assert.ok(!isLand(world, latitude, longitude), `${latitude}, ${longitude}`);
    }
  });

  test(`every ring of ${name} is closed`, () => {
    for (const ring of world.rings) {
      const ends = ring.arcs.map((part) => {
        const { points } = world.arcs[part < 0 ? ~part : part];
        const ends = [points.subarray(0, 2).join(), points.subarray(-2).join()];
        return part < 0 ? ends.reverse() : ends;
      });
      ends.forEach(([start], index) => assert.equal(ends.at(index - 1)[1], start));
    }
  });
}

test("rejects truncated and foreign files", () => {
  assert.throws(() => readOutlines(read("world-110.bin").slice(0, 9000)), OutlineError);
  assert.throws(() => readOutlines(new TextEncoder().encode("<!doctype html>").buffer), OutlineError);
  assert.throws(() => readOutlines(new ArrayBuffer(0)), OutlineError);
});
