// Where the map opens, what is near, and what is shown where nothing is.
import assert from "node:assert/strict";
import { test } from "node:test";
import { isCurrent } from "../../../../Sources/Server/Page/files/map/me.js";
import {
  clearArea, middle, pixelOf, viewAt, xOf, yOf,
} from "../../../../Sources/Server/Page/files/map/mercator.js";
import { openedAround, readLeft } from "../../../../Sources/Server/Page/files/map/opening.js";
import { query } from "../../../../Sources/Server/Page/files/views/cluster.js";
import { monthDay, otherYears, placeAndTown } from "../../../../Sources/Server/Page/files/views/home.js";
import { isWithinWalk } from "../../../../Sources/Server/Page/files/views/nearby.js";
import english from "../../../../Sources/Server/Page/files/words/en.js";
import { speech } from "../../../../Sources/Server/Page/files/words/speech.js";

const words = speech(english, "en-GB");
const frames = [
  { width: 390, height: 844, insets: { left: 0, top: 0, right: 0, bottom: 422 },
    controls: { left: 0, top: 70, right: 60, bottom: 60 } },
  { width: 1280, height: 800, insets: { left: 400, top: 0, right: 0, bottom: 0 },
    controls: { left: 0, top: 0, right: 60, bottom: 90 } },
];

test("the map opens around a position so far out that a spot is clear of panels", () => {
  const spots = [[48.2, 16.4], [48.21, 16.38], [41.4, 2.2], [60, -150], [47, 179.5], [-89, 0]];
  for (const frame of frames) {
    for (const [latitude, longitude] of spots) {
      for (const at of [{ latitude: 48.2082, longitude: 16.3738 }, { latitude: 0, longitude: -179 }]) {
        const opened = openedAround({ ...at, zoom: 15 }, { latitude, longitude }, frame);
        assert.deepEqual([opened.latitude, opened.longitude], [at.latitude, at.longitude]);
        assert.ok(opened.zoom >= 0 && opened.zoom <= 15);
        const view = viewAt(opened.latitude, opened.longitude, opened.zoom);
        const [x, y] = pixelOf(view, frame, xOf(longitude), yOf(latitude));
        const [left, top, right, bottom] = clearArea(frame);
        const [middleX, middleY] = middle(frame);
        // The clear area may not reach the middle, and the world ends at zoom 0.
        if (opened.zoom > 0) {
          assert.ok(x >= Math.min(left, middleX - 12) - 0.1 && x <= Math.max(right, middleX + 12) + 0.1);
          assert.ok(y >= Math.min(top, middleY - 12) - 0.1 && y <= Math.max(bottom, middleY + 12) + 0.1);
        }
      }
    }
  }
});

test("a spot in view leaves the zoom, and without spots it stays too", () => {
  const at = { latitude: 48.2082, longitude: 16.3738, zoom: 12 };
  assert.deepEqual(openedAround(at, at, frames[1]), at);
  assert.equal(openedAround(at, { latitude: 48.21, longitude: 16.375 }, frames[1]).zoom, 12);
  assert.deepEqual(openedAround(at, null, frames[0]), at);
});

test("a stored position is used only if it is one", () => {
  assert.deepEqual(readLeft('{"latitude":1,"longitude":2,"zoom":99}'), { latitude: 1, longitude: 2, zoom: 20 });
  for (const text of [null, "", "null", "[]", "{}", '{"latitude":91,"longitude":2,"zoom":3}',
    '{"latitude":1,"longitude":200,"zoom":3}', '{"latitude":"1","longitude":2,"zoom":3}', "{"]) {
    assert.equal(readLeft(text), null);
  }
});

test("a position says where a person is for a day", () => {
  const now = new Date("2026-11-27T12:00:00Z");
  assert.equal(isCurrent(null, now), false);
  assert.equal(isCurrent({ time: "2026-11-26T12:00:01Z" }, now), true);
  assert.equal(isCurrent({ time: "2026-11-26T12:00:00Z" }, now), false);
});

test("a spot is within a walk of the person, and of the map only where it is near", () => {
  assert.equal(isWithinWalk(undefined, "me", 15), false);
  assert.equal(isWithinWalk({ distance: 5000 }, "me", 3), true);
  assert.equal(isWithinWalk({ distance: 5001 }, "me", 15), false);
  assert.equal(isWithinWalk({ distance: 10 }, "map", 11), false);
  assert.equal(isWithinWalk({ distance: 10 }, "map", 11.1), true);
  assert.equal(isWithinWalk({ distance: 6000 }, "map", 15), false);
});

test("a day is asked for by its month and day here", () => {
  assert.equal(monthDay(new Date(2026, 0, 5)), "01-05");
  assert.equal(monthDay(new Date(2024, 11, 31)), "12-31");
});

test("a place is named with its town, unless its name says it", () => {
  const town = { name: "Paris" };
  assert.equal(placeAndTown({ title: "Zuhause", place: town }, words), "Zuhause, Paris");
  assert.equal(placeAndTown({ title: "2019 Paris", place: town }, words), "2019 Paris");
  assert.equal(placeAndTown({ title: "Sea", place: null }, words), "Sea");
});

test("the other years of a week are those before this one", () => {
  assert.deepEqual(otherYears({ years: [2016, 2019, 2022, 2026] }, 2019, 2026), ["2016", "2022"]);
  assert.deepEqual(otherYears({ years: [2019] }, 2019, 2026), []);
});

test("an album is asked for by its box, whatever the filters are", () => {
  const album = { album: "Wien", box: [1, 2, 3, 4] };
  assert.equal(query(album, {}).zoom, undefined);
  assert.match(query(album, { from: 2000 }).box, /^0\.999998,/);
});
