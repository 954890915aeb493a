// The marks and boxes of suggestions, and the values of filters.
import assert from "node:assert/strict";
import { test } from "node:test";
import { countOf, untilOf } from "../../../../Sources/Server/Page/files/map/filters.js";
import { boxAround, described, hits } from "../../../../Sources/Server/Page/files/panel/suggestions.js";
import { seconds } from "../../../../Sources/Server/Page/files/views/settings.js";
import english from "../../../../Sources/Server/Page/files/words/en.js";
import { speech } from "../../../../Sources/Server/Page/files/words/speech.js";

const words = speech(english, "en-GB");
const marked = (name, query) =>
  hits(name, query).filter(([, isHit]) => isHit).map(([part]) => part);

test("words of a query are marked at the beginnings of words, whatever their accents and case", () => {
  assert.deepEqual(marked("São Paulo", "sao pau"), ["São", "Pau"]);
  assert.deepEqual(marked("2013 Barcelona", "barcelona 2013"), ["2013", "Barcelona"]);
  assert.deepEqual(marked("Wiener Neustadt", "stadt"), []);
  assert.deepEqual(marked("東京", "東京"), ["東京"]);
  assert.deepEqual(marked("<b>Oak</b>", "oak"), ["Oak"]);
  assert.equal(hits("Old oak", "oak").map(([part]) => part).join(""), "Old oak");
});

test("a box contains the circle of a town, and stays on the map", () => {
  const [south, west, north, east] = boxAround({ latitude: 60, longitude: 10, reach: 11_119.5 });
  for (const [value, wanted] of [[south, 59.9], [north, 60.1], [west, 9.8], [east, 10.2]]) {
    assert.ok(Math.abs(value - wanted) < 1e-3, `${value} ${wanted}`);
  }
  assert.equal(boxAround({ latitude: 90, longitude: 0, reach: 1e4 })[2], 90);
});

test("each kind of suggestion has a title, a detail and a kind", () => {
  const said = (item, query = "x") => Object.values(described(item, query, words)).join(" | ");
  const town = { kind: "town", name: "Vienna", country: "Austria", photos: 3 };
  assert.deepEqual(described(town, "wien", words),
    { title: "Vienna", kind: "Town", detail: "wien · Austria · 3 photos here" });
  assert.equal(described({ ...town, photos: 0 }, "vien", words).detail, "Austria · no photos");
  const counts = { from: 2013, to: 2013, photos: 46, spots: 9 };
  assert.match(said({ kind: "photos", name: "Barcelona", ...counts }), /^Barcelona in 2013/);
  assert.match(said({ kind: "days", ...counts }), /All of 2013 \| 46 photos at 9 spots \| Year/);
  assert.match(said({ kind: "days", ...counts, month: 5 }), /All of May 2013 .* Month/);
  assert.match(said({ kind: "position", latitude: 1, longitude: 2, note: "middle" }), /Middle of the map/);
  assert.equal(described({ kind: "position", latitude: 1, longitude: 2 }, "x", words).detail, "");
  assert.match(said({ kind: "place", name: "Oak", placeKind: "place", distance: 320 }), /place · 320 m/);
});

test("filters besides the years are counted, and ages are days", () => {
  assert.equal(countOf({ from: 2013, to: 2014 }), 0);
  assert.equal(countOf({ album: "a", month: 5, favorites: null, text: undefined }), 2);
  assert.equal(untilOf(10, new Date(2026, 10, 22, 23)), "2016-11-22");
});

test("durations of settings are read in all units", () => {
  assert.deepEqual(["24 h", "1 d", "0 s", "2 y", "90", "x"].map(seconds),
    [86_400, 86_400, 0, 63_115_200, 90, null]);
});
