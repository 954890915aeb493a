// Own places: the positions of their pins, queries, and the texts of lists.
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  boxOf, grouped, liftOf, nearestOf, pinHeight, pinWidth, reachOf, toggled,
} from "../../../../Sources/Server/Page/files/places/arrange.js";
import { nearestRadius } from "../../../../Sources/Server/Page/files/places/details.js";
import { positionUnder } from "../../../../Sources/Server/Page/files/places/keeping.js";
import { details, summary } from "../../../../Sources/Server/Page/files/places/import.js";
import { placeLook } from "../../../../Sources/Server/Page/files/places/pins.js";
import { coverOf, lineOf } from "../../../../Sources/Server/Page/files/places/rows.js";
import { distance } from "../../../../Sources/Server/Page/files/geodesy.js";
import { pixelOf, viewAt, xOf, yOf } from "../../../../Sources/Server/Page/files/map/mercator.js";
import { readAddress, viewOf, writeAddress } from "../../../../Sources/Server/Page/files/router.js";
import { placeToKeep } from "../../../../Sources/Server/Page/files/views/keep.js";
import { joined } from "../../../../Sources/Server/Page/files/views/nearby.js";
import { query } from "../../../../Sources/Server/Page/files/views/places.js";
import english from "../../../../Sources/Server/Page/files/words/en.js";
import { speech } from "../../../../Sources/Server/Page/files/words/speech.js";

const words = speech(english, "en-GB");

/** A generator of pseudorandom numbers from 0 to 1, from a seed (mulberry32). */
function dice(seed) {
  return () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

function scattered(seed, count, side) {
  const roll = dice(seed);
  return Array.from({ length: count }, (_, index) => ({
    id: String(index).padStart(16, "0"), latitude: index, longitude: index, x: roll() * side,
    y: roll() * side,
  }));
}

test("pins of places never overlap, and each place is counted once", () => {
  for (let seed = 1; seed <= 40; seed++) {
    const places = scattered(seed, 300, seed % 2 ? 900 : 250);
    const photos = scattered(seed + 1000, 20, 900);
    const byID = new Map(places.map((place) => [place.id, place]));
    const groups = grouped(places, photos);
    const boxes = groups.map(({ places: [{ id }], lift }) => {
      const { x, y } = byID.get(id);
      return [x, y - lift];
    });
    boxes.forEach(([x, y], index) => {
      for (const [otherX, otherY] of boxes.slice(index + 1)) {
        assert.ok(Math.abs(x - otherX) >= pinWidth || Math.abs(y - otherY) >= pinHeight, `seed ${seed}`);
      }
    });
    const ids = groups.flatMap((group) => group.places.map(({ id }) => id)).sort();
    assert.deepEqual(ids, [...byID.keys()].sort(), `seed ${seed}`);
  }
});

test("grouping does not depend on the order of places or the map's middle", () => {
  const places = scattered(7, 100, 400);
  const shifted = places.map((place) => ({ ...place, x: place.x + 250, y: place.y - 80 })).reverse();
  const idsOf = (groups) => groups.map((group) => group.places.map(({ id }) => id)).sort();
  assert.deepEqual(idsOf(grouped(places, [])), idsOf(grouped(shifted, [])));
});

test("the open place represents its group's pin", () => {
  const places = [{ id: "a", x: 0, y: 0 }, { id: "b", x: 5, y: 0 }];
  assert.equal(grouped(places, [])[0].places[0].id, "a");
  assert.equal(grouped(places, [], "b")[0].places[0].id, "b");
});

test("a place's pin is lifted above the photos it would cover", () => {
  assert.equal(liftOf({ x: 0, y: 0 }, []), 0);
  assert.equal(liftOf({ x: 0, y: 0 }, [{ x: 0, y: 0 }]), 28);
  assert.equal(liftOf({ x: 0, y: 20 }, [{ x: 0, y: 0 }]), 48);
  // Photos beside, above and below the pin do not lift it.
  for (const photo of [{ x: 60, y: 0 }, { x: 0, y: -80 }, { x: 0, y: 40 }]) {
    assert.equal(liftOf({ x: 0, y: 0 }, [photo]), 0);
  }
  // It is lifted above two photos, but not too far from its position.
  assert.equal(liftOf({ x: 0, y: 0 }, [{ x: 0, y: 0 }, { x: 10, y: -54 }]), 82);
  assert.equal(liftOf({ x: 0, y: 0 }, [0, -54, -108].map((y) => ({ x: 0, y }))), 0);
});

test("a box contains its places, across the 180° meridian too", () => {
  const at = (latitude, longitude) => ({ latitude, longitude });
  assert.deepEqual(boxOf([at(1, 2)]), [1, 2, 1, 2]);
  assert.deepEqual(boxOf([at(1, 2), at(-3, 20), at(2, -7)]), [-3, -7, 2, 20]);
  assert.deepEqual(boxOf([at(0, 179), at(1, -178), at(2, 175)]), [0, 175, 2, -178]);
});

test("the requested circle contains the whole view", () => {
  for (const [latitude, longitude] of [[48, 2], [0, 180], [-70, 30], [84, -120]]) {
    for (const half of [0.001, 0.3, 20]) {
      const box = {
        south: latitude - half / 2, north: Math.min(85, latitude + half / 2),
        west: longitude - half, east: longitude + half > 180 ? longitude + half - 360 : longitude + half,
      };
      const radius = reachOf({ latitude, longitude }, box, distance);
      for (let step = 0; step <= 8; step++) {
        const along = box.west + (half * step) / 4;
        for (const edge of [box.south, box.north]) {
          const meters = distance({ latitude, longitude }, { latitude: edge, longitude: along });
          assert.ok(meters <= radius + 0.5, `${latitude} ${half}`);
        }
      }
    }
  }
  const world = { south: -80, north: 80, west: -180, east: 180 };
  assert.equal(reachOf({ latitude: 0, longitude: 0 }, world, distance), null);
});

test("places of several collections are merged, nearest first, up to the limit", () => {
  const at = (id, meters) => ({ id, distance: meters });
  const lists = [[at("a", 5), at("b", 9)], [at("c", 1), at("a", 5)]];
  assert.deepEqual(nearestOf(lists, 10).map(({ id }) => id), ["c", "a", "b"]);
  assert.deepEqual(nearestOf(lists, 2).map(({ id }) => id), ["c", "a"]);
});

test("collections are selected and deselected", () => {
  assert.deepEqual(toggled([], "b"), ["b"]);
  assert.deepEqual(toggled(["b"], "a"), ["a", "b"]);
  assert.deepEqual(toggled(["a", "b"], "a"), ["b"]);
});

test("spots and places are one list, without places of listed spots", () => {
  const spots = [{ id: "s1", distance: 5 }, { id: "s2", distance: 20 }];
  const places = [
    { id: "p1", distance: 1, spot: null }, { id: "p2", distance: 6, spot: "s2" },
    { id: "p3", distance: 7, spot: "far" }, { id: "p4", distance: 8, spot: "near" },
  ];
  const ids = (limit) => joined({ id: "near" }, spots, places, limit).map(({ id }) => id);
  assert.deepEqual(ids(), ["p1", "s1", "p3", "s2"]);
  assert.deepEqual(ids(2), ["p1", "s1"]);
  assert.deepEqual(joined(undefined, [], places).length, 4);
});

test("an id leads to a spot or to a place by its length", () => {
  assert.deepEqual(viewOf("47xjsbmtz9sp"), { view: "spot", id: "47xjsbmtz9sp" });
  assert.deepEqual(viewOf("abcdefghijklmnop"), { view: "place", id: "abcdefghijklmnop" });
});

test("a place and the list of places have addresses, the form has none", () => {
  const position = { zoom: 15, latitude: 1, longitude: 2 };
  for (const place of [{ view: "place", id: "abcdefghijklmnop" }, { view: "places" }]) {
    assert.deepEqual(readAddress(writeAddress(position, place)).place, place);
  }
  assert.equal(writeAddress(position, { view: "keep", latitude: 1, longitude: 2 }), "#15/1/2/nearby");
  assert.deepEqual(readAddress("#15/1/2/place").place, { view: "nearby" });
  assert.deepEqual(readAddress("#15/1/2/place/x/again").place, { view: "place", id: "x" });
});

test("the position under a pixel is drawn at that pixel", () => {
  const insets = { left: 400, top: 0, right: 0, bottom: 0 };
  const map = { view: viewAt(48, 179.99, 12), frame: { width: 1280, height: 800, insets } };
  const { latitude, longitude } = positionUnder(map, 1100, 130);
  assert.ok(longitude < -179 && longitude >= -180);
  const [x, y] = pixelOf(map.view, map.frame, xOf(longitude), yOf(latitude));
  assert.ok(Math.abs(x - 1100) < 1e-3 && Math.abs(y - 130) < 1e-3);
});

test("a new place has only the given members", () => {
  const position = { latitude: 1, longitude: 2 };
  assert.deepEqual(
    placeToKeep({ position, name: "", kind: "", note: "", collections: [] }), position);
  assert.deepEqual(
    placeToKeep({ position, spot: "s", name: "N", kind: "K", note: "T", collections: ["C"] }),
    { ...position, spot: "s", name: "N", kind: "K", note: "T", collections: ["C"] });
});

test("a list of places requests its box, and a single selected collection", () => {
  assert.deepEqual(query(null, []), { box: null, collection: null, limit: 200 });
  assert.deepEqual(query([1, 2, 90, 4], ["Trees"]), {
    box: "0.999998,1.999998,90,4.000002", collection: "Trees", limit: 200,
  });
  assert.equal(query(null, ["Trees", "Walks"]).collection, null);
});

test("a place's line shows its kind, collections and number of notes", () => {
  const place = { kind: "tree", collections: ["Trees", "Walks"], notes: [{}, {}] };
  assert.equal(lineOf(place, words), "tree · Trees and Walks · 2 notes");
  assert.equal(lineOf({ ...place, noteCount: 7 }, words), "tree · Trees and Walks · 7 notes");
  assert.equal(lineOf({ kind: "place", collections: [], notes: [] }, words), "place");
});

test("a place's cover is its first indexed photo", () => {
  assert.equal(coverOf({ photos: [{ name: "lost.jpg" }, { id: "a" }, { id: "b" }] }), "a");
  assert.equal(coverOf({ photos: [] }), undefined);
});

test("a pin has its place's name, or the number of places", () => {
  const { nameOf, badgeOf, isOf, keyOf } = placeLook(words);
  const [oak, elm] = [
    { id: "a", name: "<img onerror=x>", kind: "tree" }, { id: "b", name: "Elm", kind: "tree", spot: "s" },
  ];
  assert.equal(nameOf({ places: [oak] }), "<img onerror=x>, tree");
  assert.equal(badgeOf({ places: [oak] }), null);
  assert.equal(nameOf({ places: [oak, elm] }), "<img onerror=x> and others, 2 places");
  assert.equal(badgeOf({ places: [oak, elm] }), "2");
  assert.equal(nameOf({ places: [{ ...oak, name: "", latitude: 1, longitude: 2 }] }),
    "1.00000° N, 2.00000° E, tree");
  assert.ok(isOf({ places: [oak, elm] }, "b") && isOf({ places: [elm] }, "s"));
  assert.ok(!isOf({ places: [oak] }, "b"));
  assert.notEqual(keyOf({ places: [oak], lift: 0 }), keyOf({ places: [{ ...oak, name: "Oak" }], lift: 0 }));
});

test("a radius is shown at the slider's nearest step", () => {
  assert.equal(nearestRadius(10), 0);
  assert.equal(nearestRadius(5000), nearestRadius(4800));
  assert.equal(nearestRadius(110), nearestRadius(100));
});

test("a report of an import sums up its places", () => {
  const counts = { new: 1, changed: 0, kept: 2, differs: 1, leftOut: 1004, notRead: 1 };
  assert.equal(summary({ read: 3, ...counts }, words),
    "3 places in the file: 1 new, 2 kept, 1 differs, 1,004 left out, 1 value not read");
  assert.equal(summary({ read: 2, kept: 2, differs: 2 }, words), "2 places in the file: 2 kept, 2 differ");
  assert.equal(summary({ read: 0 }, words), "0 places in the file");
  assert.deepEqual(details({
    parts: [
      { reason: "picture", count: 2, text: "2 pictures", examples: [] },
      { reason: "novel", count: 1, text: "1 novelty", examples: ["<b>"] },
    ],
    unread: [{ name: "ele", count: 3 }], differing: [{ name: "Oak" }], encoding: "Windows-1252",
  }, words), [
    "2 pictures", "1 novelty: <b>", "Not read, as places have no such field: ele",
    "Changed here later than in the file: Oak",
    "Check the accents in the names: the file does not say how its letters are stored",
  ]);
});
