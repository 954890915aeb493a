// The arithmetic of the map.
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  bounded, fitted, flight, isUncovered, latitudeOf, longitudeOf, mercatorAt, metersPerPixel, middle,
  movedBy, pinPixelOf, pinReach, pixelOf, positionOf, reframed, uncoveredBox, viewAt, worldSize, wrapped, xOf, yOf,
  zoomedAbout,
} from "../../../../Sources/Server/Page/files/map/mercator.js";

const none = { left: 0, top: 0, right: 0, bottom: 0 };
const frame = { width: 1280, height: 800, insets: { ...none, left: 400 }, controls: { ...none, right: 60, bottom: 110 } };
const close = (a, b, within = 1e-9) => assert.ok(Math.abs(a - b) <= within, `${a} is not ${b}`);

test("coordinates round-trip through the projection", () => {
  for (let latitude = -85; latitude <= 85; latitude += 8.5) close(latitudeOf(yOf(latitude)), latitude);
  for (let longitude = -180; longitude <= 180; longitude += 22.5) close(longitudeOf(xOf(longitude)), longitude);
  close(yOf(0), 0.5);
  close(yOf(85.0511287798), 0, 1e-9);
  assert.equal(yOf(90), yOf(86));
});

test("a longitude beyond the meridian is wrapped", () => {
  assert.equal(wrapped(190), -170);
  assert.equal(wrapped(-181), 179);
  assert.equal(wrapped(180), -180);
});

test("the view's position is at the middle of the uncovered area", () => {
  assert.deepEqual(middle(frame), [840, 400]);
  const view = viewAt(48.8584, 2.2945, 15);
  const [x, y] = pixelOf(view, frame, xOf(2.2945), yOf(48.8584));
  close(x, 840);
  close(y, 400);
});

test("the copy of the world nearest to the middle is used", () => {
  const view = viewAt(0, 179, 6);
  const [x] = pixelOf(view, frame, xOf(-179), 0.5);
  close(x, 840 + (2 / 360) * worldSize(6), 1e-6);
});

test("pixels and Mercator positions convert both ways", () => {
  const view = viewAt(-33.857, 151.215, 11.3);
  const [x, y] = mercatorAt(view, frame, 500, 120);
  const [pixelX, pixelY] = pixelOf(view, frame, x, y);
  close(pixelX, 500, 1e-6);
  close(pixelY, 120, 1e-6);
});

test("the box of a view across the 180° meridian has west > east", () => {
  const box = uncoveredBox(viewAt(0, 180, 5), frame);
  assert.ok(box.west > box.east);
  close(box.west - 360, -box.east - 360 * 1, 1e-6);
  const whole = uncoveredBox(viewAt(0, 0, 0), frame);
  assert.deepEqual([whole.west, whole.east], [-180, 180]);
});

test("a margin widens the box by its pixels", () => {
  const view = viewAt(10, 10, 8);
  const degrees = 360 / worldSize(8);
  const [plain, wide] = [uncoveredBox(view, frame), uncoveredBox(view, frame, 90)];
  close(plain.west - wide.west, 90 * degrees, 1e-9);
  close(wide.east - plain.east, 90 * degrees, 1e-9);
});

test("pixels under a panel are covered", () => {
  assert.ok(!isUncovered(frame, 399, 10));
  assert.ok(isUncovered(frame, 401, 10));
  assert.ok(!isUncovered(frame, 500, 801));
});

test("zooming keeps the position under the pointer", () => {
  const view = viewAt(43.468, 11.881, 14);
  const before = mercatorAt(view, frame, 1000, 300);
  const after = mercatorAt(zoomedAbout(view, frame, 1000, 300, 1.7), frame, 1000, 300);
  close(after[0], before[0]);
  close(after[1], before[1]);
});

test("zoom and position are clamped", () => {
  assert.equal(zoomedAbout(viewAt(0, 0, 19.5), frame, 840, 400, 3).zoom, 20);
  assert.equal(bounded({ x: 1.25, y: 2, zoom: -3 }).zoom, 0);
  assert.deepEqual(bounded({ x: 1.25, y: 2, zoom: 1 }), { x: 0.25, y: 1, zoom: 1 });
});

test("dragging by pixels moves the map by pixels", () => {
  const view = viewAt(10, 20, 9);
  const [x] = pixelOf(movedBy(view, 100, 0), frame, view.x, view.y);
  close(x, 740, 1e-6);
});

test("opening a panel does not move the map on the screen", () => {
  const view = viewAt(48.86, 2.29, 13);
  const before = { ...frame, insets: none };
  const moved = reframed(view, before, frame);
  const place = mercatorAt(view, before, 700, 200);
  const [x, y] = pixelOf(moved, frame, ...place);
  close(x, 700, 1e-5);
  close(y, 200, 1e-5);
});

for (const [name, box] of Object.entries({
  "a town": [48.85, 2.28, 48.88, 2.35],
  "a continent": [36, -10, 60, 30],
  "Fiji, across the meridian,": [-19, 177, -16, -178],
})) {
  test(`${name} is fitted between panels and controls as large as possible`, () => {
    const view = fitted(box, frame, 20);
    const [south, west, north, east] = box;
    const corners = [[south, west], [north, east]].map(([latitude, longitude]) =>
      pixelOf(view, frame, xOf(longitude), yOf(latitude)));
    const [left, right] = [400 + pinReach, 1280 - 60 - pinReach];
    const [top, bottom] = [pinReach, 800 - 110 - pinReach];
    for (const [x, y] of corners) {
      assert.ok(x >= left - 1e-6 && x <= right + 1e-6 && y >= top - 1e-6 && y <= bottom + 1e-6);
    }
    const width = Math.abs(corners[1][0] - corners[0][0]);
    const height = Math.abs(corners[1][1] - corners[0][1]);
    assert.ok(Math.abs(width - (right - left)) < 1e-6 || Math.abs(height - (bottom - top)) < 1e-6);
  });
}

test("a single place is fitted at the maximum zoom", () => {
  assert.equal(fitted([48.85, 2.3, 48.85, 2.3], frame, 15).zoom, 15);
});

test("a flight connects its ends across the 180° meridian", () => {
  const [from, to] = [viewAt(10, 170, 5), viewAt(20, -170, 7)];
  for (const [share, view] of [[0, from], [1, to]]) {
    const there = flight(from, to, share);
    close(wrapped(longitudeOf(there.x)), wrapped(longitudeOf(view.x)), 1e-6);
    close(there.y, view.y);
    close(there.zoom, view.zoom);
  }
  assert.ok(Math.abs(positionOf(flight(from, to, 0.5)).longitude) > 169);
});

test("metres per pixel match the mean sphere", () => {
  close(metersPerPixel(0, 0), (2 * Math.PI * 6_371_008.8) / 256, 1e-6);
  close(metersPerPixel(10, 60), metersPerPixel(10, 0) / 2, 1e-9);
});

test("a pin uses the copy of the world that no control covers", () => {
  const phone = {
    width: 390, height: 844, insets: { ...none, bottom: 422 },
    controls: { ...none, top: 62, right: 54, bottom: 66 },
  };
  for (const [west, east] of [[-122.4, 174.8], [2.3, -0.001], [-179, 179]]) {
    const view = fitted([-36.9, west, 64.1, east], phone, 15);
    const width = (east - west + (east < west ? 360 : 0));
    for (let share = 0; share <= 1; share += 0.02) {
      const [x] = pinPixelOf(view, phone, xOf(wrapped(west + share * width)), yOf(10));
      assert.ok(x >= pinReach - 1 && x <= 390 - 54 - pinReach + 1, `${west} ${share}: ${x}`);
    }
  }
});

test("a pin covered on every copy of the world uses the one nearest to the middle", () => {
  const view = viewAt(0, 0, 8);
  for (const longitude of [-3, -1, 0, 2.5, 40]) {
    assert.deepEqual(
      pinPixelOf(view, frame, xOf(longitude), yOf(1)), pixelOf(view, frame, xOf(longitude), yOf(1)));
  }
});
