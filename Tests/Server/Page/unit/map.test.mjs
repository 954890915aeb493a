// Round steps, navigation by arrow keys, tiles, and the heights of bars and sheets.
import assert from "node:assert/strict";
import { test } from "node:test";
import { nearestThatWay } from "../../../../Sources/Server/Page/files/map/directions.js";
import { extended } from "../../../../Sources/Server/Page/files/map/me.js";
import { viewAt } from "../../../../Sources/Server/Page/files/map/mercator.js";
import { barMeters, gridDegrees, gridDigits, ringMeters } from "../../../../Sources/Server/Page/files/map/scale.js";
import { tilesFor } from "../../../../Sources/Server/Page/files/map/tiles.js";
import { nearestStop, nextStop } from "../../../../Sources/Server/Page/files/panel/sheet.js";
import { barHeight } from "../../../../Sources/Server/Page/files/map/years.js";

test("the scale bar is the longest round length that fits", () => {
  assert.equal(barMeters(1), 100);
  assert.equal(barMeters(0.45), 20);
  assert.equal(barMeters(20_000), 2_000_000);
  assert.equal(barMeters(1, "imperial"), 200 * 0.3048);
  assert.equal(barMeters(45, "imperial"), 2 * 1609.344);
});

test("at most four rings are drawn within the visible range", () => {
  const rings = ringMeters(1, 1000);
  assert.deepEqual(rings, [50, 100, 250, 500]);
  assert.deepEqual(ringMeters(1e9, 1000), []);
  assert.equal(ringMeters(1, 1000, "imperial")[0], 200 * 0.3048);
});

test("graticule lines have a readable spacing and enough digits", () => {
  assert.equal(gridDegrees(0.0001), 0.02);
  assert.equal(gridDegrees(10), 30);
  assert.equal(gridDigits(0.005), 3);
  assert.equal(gridDigits(10), 0);
});

test("an arrow key selects the nearest pin in its direction", () => {
  const [here, right, farRight, below] = [
    { x: 0, y: 0 }, { x: 100, y: 10 }, { x: 300, y: 0 }, { x: 5, y: 80 },
  ];
  const all = [here, right, farRight, below];
  assert.equal(nearestThatWay(all, here, "ArrowRight"), right);
  assert.equal(nearestThatWay(all, right, "ArrowRight"), farRight);
  assert.equal(nearestThatWay(all, here, "ArrowDown"), below);
  assert.equal(nearestThatWay(all, here, "ArrowUp"), undefined);
  assert.equal(nearestThatWay(all, here, "Enter"), undefined);
});

test("a trail grows only when the position moves, and keeps 2,000 points", () => {
  const trail = [{ latitude: 1, longitude: 2 }];
  assert.equal(extended(trail, { latitude: 1, longitude: 2, course: 5 }), trail);
  assert.equal(extended(trail, { latitude: 1, longitude: 3 }).length, 2);
  const long = Array.from({ length: 2000 }, (_, latitude) => ({ latitude, longitude: 0 }));
  assert.equal(extended(long, { latitude: -1, longitude: 0 }).length, 2000);
});

test("a view requests exactly its visible tiles, across the 180° meridian too", () => {
  const none = { left: 0, top: 0, right: 0, bottom: 0 };
  const frame = { width: 500, height: 500, insets: none, controls: none };
  const tiles = tilesFor(viewAt(0, 180, 3), frame);
  assert.deepEqual([...new Set(tiles.map(({ column }) => column))], [7, 8]);
  assert.deepEqual([...new Set(tiles.map(({ row }) => row))], [3, 4]);
  assert.ok(tiles.every(({ zoom }) => zoom === 3));
});

test("the grip raises the sheet, and lowers it from the top", () => {
  assert.deepEqual([0, 1, 2].map(nextStop), [1, 2, 1]);
  assert.deepEqual([0.1, 0.3, 0.4, 0.7, 0.9].map(nearestStop), [0, 0, 1, 2, 2]);
});

test("the bar of a single photo is visible beside one of a thousand", () => {
  assert.equal(barHeight(0, 1000), 0);
  assert.ok(barHeight(1, 1000) > 0.08);
  assert.equal(barHeight(1000, 1000), 1);
});
