// The decisions of the camera and the comparison: choice of photos, guidance, and retries.
import assert from "node:assert/strict";
import { test } from "node:test";
import { cardLayout } from "../../../../Sources/Server/Page/files/again/card.js";
import { compassOf, facts, Guide, obstacleOf } from "../../../../Sources/Server/Page/files/again/guide.js";
import { isForLater, isSameRecreation, sendOnce, wallTime } from "../../../../Sources/Server/Page/files/again/unsent.js";
import { Client, Problem } from "../../../../Sources/Server/Page/files/api.js";
import { Alignments } from "../../../../Sources/Server/Page/files/thennow/alignments.js";
import { pairToShow, pairsToTry } from "../../../../Sources/Server/Page/files/thennow/pairs.js";
import { laterToEarlier } from "../../../../Sources/Server/Page/files/thennow/reveal.js";
import { pairPicture } from "../../../../Sources/Server/Page/files/thennow/share.js";
import english from "../../../../Sources/Server/Page/files/words/en.js";
import { speech } from "../../../../Sources/Server/Page/files/words/speech.js";

const words = speech(english, "en-GB");
const photo = (id, captured, more = {}) => ({ id, captured, ...more });
const names = (pairs) => pairs.map(([one, other]) => `${one.id}${other.id}`);

test("pairs are tried from the widest span of years, without undated photos", () => {
  const photos = [
    photo("c", "2024-04-20T10:00:00Z"), photo("a", "1994-08-14T10:00:00Z"), photo("x", null),
    photo("b", "2008-10-22T10:00:00Z"),
  ];
  assert.deepEqual(names(pairsToTry(photos, words.year)), ["ac", "bc", "ab"]);
  assert.deepEqual(names(pairsToTry(photos, words.year, photos[3])), ["bc", "ab"]);
});

test("photos with very different headings are not paired", () => {
  const photos = [
    photo("a", "1994-08-14T10:00:00Z", { heading: 350 }),
    photo("b", "2008-10-22T10:00:00Z", { heading: 20 }),
    photo("c", "2024-04-20T10:00:00Z", { heading: 170 }),
  ];
  assert.deepEqual(names(pairsToTry(photos, words.year)), ["ab"]);
});

test("at most 40 pairs of 3,000 photos are tried, first the whole span of years", () => {
  const photos = Array.from({ length: 3000 }, (_, index) =>
    photo(String(index), new Date(Date.UTC(1990, 0, 1 + 4 * index)).toISOString()));
  const pairs = pairsToTry(photos, words.year);
  assert.ok(pairs.length <= 40);
  assert.equal(words.year(pairs[0][0].captured), "1990");
  assert.equal(words.year(pairs[0][1].captured), "2022");
  assert.ok(pairsToTry(photos, words.year, photos[1500]).every((pair) => pair.includes(photos[1500])));
});

test("the first pair of the same view is shown, else the oldest and newest picture", async () => {
  const photos = ["1994", "2001", "2008", "2024"].map((year) => photo(year, `${year}-01-01T00:00:00Z`));
  const shown = (isOneView, hasPicture = () => true, one = null) =>
    pairToShow(photos, { yearOf: words.year, isOneView, hasPicture, photo: one });
  const views = { 1994: 1, 2001: 2, 2008: 1, 2024: 3 };
  const isOneView = async (a, b) => views[a.id] === views[b.id];
  assert.deepEqual((await shown(isOneView)).map(({ id }) => id), ["1994", "2008"]);
  const none = async () => false;
  assert.deepEqual((await shown(none)).map(({ id }) => id), ["1994", "2024"]);
  const later = async ({ id }) => id !== "1994";
  assert.deepEqual((await shown(none, later)).map(({ id }) => id), ["2001", "2024"]);
  assert.deepEqual((await shown(none, later, photos[1])).map(({ id }) => id), ["2001", "2008"]);
});

test("the later photo is transformed back by its displacement", () => {
  const still = { turn: 0, zoom: 1, dx: 0.1, dy: -0.05 };
  assert.equal(laterToEarlier(still, { width: 400, height: 200 }),
    "translate(-10.000%,10.000%) matrix(1.00000,0.00000,0.00000,1.00000,0.00000,0.00000)");
  assert.match(laterToEarlier({ turn: 0, zoom: 2, dx: 0.1, dy: 0 }, { width: 4, height: 3 }),
    /^translate\(-5\.000%,-?0\.000%\) matrix\(0\.50000,/);
});

test("the advice changes at most every 0.7 s, and the score at once", () => {
  const guide = new Guide();
  const said = (milliseconds, move, score) =>
    guide.next({ found: { score }, advice: { move, way: null, isLittle: false }, milliseconds });
  assert.equal(said(0, "turnLeft", 0.2).move, "turnLeft");
  const soon = said(300, "hold", 0.756);
  assert.equal(soon.move, "turnLeft");
  assert.equal(soon.score, 76);
  assert.ok(soon.isGood);
  assert.equal(said(710, "hold", 0.8).move, "hold");
  assert.equal(said(900, "tiltUp", 0.7).move, "hold");
  assert.equal(said(1420, "tiltUp", 0.7).move, "tiltUp");
  const dark = said(3000, "dark", null);
  assert.deepEqual([dark.score, dark.isGood, dark.move], [null, false, "dark"]);
});

test("the known position, heading and focal length are described", () => {
  const old = { heading: 135, focalLength35mm: 28 };
  assert.deepEqual(facts(old, { meters: 61, degrees: 300 }, 12, words),
    ["walk 60 m north-west", "face south-east", "28 mm"]);
  assert.deepEqual(facts({}, { meters: 3, degrees: 0 }, 12, words), ["you stand where you stood"]);
  assert.deepEqual(facts({}, null, 12, words), []);
});

test("camera errors are classified", () => {
  assert.equal(obstacleOf({ name: "NotAllowedError" }), "refused");
  assert.equal(obstacleOf({ name: "InsecureError" }), "insecure");
  assert.equal(obstacleOf({ name: "NotFoundError" }), "none");
});

test("the compass heading requires absolute orientation", () => {
  assert.equal(compassOf({ webkitCompassHeading: 90 }), 90);
  assert.equal(compassOf({ absolute: true, alpha: 90, beta: 60 }), 270);
  assert.equal(compassOf({ absolute: false, alpha: 90 }), null);
  assert.equal(compassOf({ absolute: true, alpha: null }), null);
});

test("a photo whose response was lost is not sent twice", async () => {
  const jpeg = new Blob(["x"]);
  const calls = [];
  const client = (listed) => ({
    get: async (route) => {
      calls.push(route);
      return { items: listed };
    },
    send: async (method, route) => {
      calls.push(`${method} ${route}`);
      return { id: "new" };
    },
  });
  const kept = { photo: "p", score: 0.853, jpeg, sentAt: null };
  const notes = [];
  await sendOnce(client([]), kept, (one) => notes.push(one.sentAt));
  assert.deepEqual(calls, ["POST recreations?photo=p&score=0.853"]);
  assert.ok(notes[0] > 0);
  calls.length = 0;
  const at = Date.parse("2026-11-22T10:00:00Z");
  const listed = { id: "old", photo: "p", score: 0.853, time: "2026-11-22T10:00:01Z" };
  const found = await sendOnce(client([listed]), { ...kept, sentAt: at }, () => {});
  assert.equal(found.id, "old");
  assert.deepEqual(calls, ["recreations"]);
  calls.length = 0;
  await sendOnce(client([{ ...listed, photo: "q" }]), { ...kept, sentAt: at }, () => {});
  assert.deepEqual(calls, ["recreations", "POST recreations?photo=p&score=0.853"]);
  const earlier = { ...listed, time: "2026-11-22T09:00:00Z" };
  assert.ok(!isSameRecreation(earlier, { ...kept, sentAt: at }));
  assert.ok(!isSameRecreation(listed, kept));
  assert.ok(!isSameRecreation({ ...listed, score: 0.7 }, { ...kept, sentAt: at }));
  assert.ok(isSameRecreation({ ...listed, score: undefined }, { ...kept, score: null, sentAt: at }));
});

test("a photo sent later has its capture time", async () => {
  const kept = { photo: "p", score: null, time: "2026-11-22T10:15:03+01:00", sentAt: null };
  const routes = [];
  const client = { send: async (method, route) => routes.push(route) };
  await sendOnce(client, kept, () => {});
  assert.deepEqual(routes, ["recreations?photo=p&time=2026-11-22T10%3A15%3A03%2B01%3A00"]);
  // The capture time identifies it, whenever it was sent.
  const sent = { ...kept, sentAt: Date.parse("2026-11-23T18:00:00Z") };
  assert.ok(isSameRecreation({ photo: "p", time: "2026-11-22T09:15:03.000Z" }, sent));
  assert.ok(!isSameRecreation({ photo: "p", time: "2026-11-23T18:00:00.000Z" }, sent));
});

test("a time is formatted as local time with its UTC offset", () => {
  const date = new Date("2026-11-22T23:15:03.700Z");
  assert.equal(wallTime(date, 60), "2026-11-23T00:15:03+01:00");
  assert.equal(wallTime(date, -210), "2026-11-22T19:45:03-03:30");
  assert.equal(wallTime(date, 0), "2026-11-22T23:15:03+00:00");
  assert.equal(Date.parse(wallTime(date)), Date.parse("2026-11-22T23:15:03Z"));
});

test("unanswered requests are retried, and rejected ones are not", () => {
  assert.ok(isForLater(new Problem({ type: "/problems/offline" })));
  assert.ok(isForLater(new Problem({ status: 503 })));
  assert.ok(isForLater(new Problem({ status: 401 })));
  assert.ok(!isForLater(new Problem({ status: 404 })));
  assert.ok(!isForLater(new Problem({ status: 415 })));
});

test("landscape photos are shared one above the other, portrait ones side by side", () => {
  assert.deepEqual(cardLayout(4 / 3), {
    width: 1080, height: 1632, then: { x: 0, y: 0, width: 1080, height: 810 },
    now: { x: 0, y: 822, width: 1080, height: 810 },
  });
  const upright = cardLayout(3 / 4);
  assert.deepEqual([upright.width, upright.height], [1632, 1080]);
});

test("the picture of a pair is a file, or a problem", async () => {
  const asked = [];
  const answering = (answer) => new Client({ fetch: (address) => {
    asked.push(address);
    return Promise.resolve(answer);
  } });
  const picture = new Response(new Blob(["jpeg"], { type: "image/jpeg" }));
  const file = await pairPicture(answering(picture), "a", "b");
  assert.deepEqual(asked, ["api/v1/share?earlier=a&later=b"]);
  assert.deepEqual([file.name, file.type, file.size], ["then-and-now.jpg", "image/jpeg", 4]);
  const none = Response.json({ type: "/problems/no-picture", title: "None" }, { status: 415 });
  await assert.rejects(pairPicture(answering(none), "a", "b"), { slug: "no-picture", status: 415 });
});

test("alignments match responses by id, and a failed worker gives null", async () => {
  const sent = [];
  const worker = { postMessage: (message) => sent.push(message), terminate() {} };
  const alignments = new Alignments(() => worker);
  const first = alignments.find("a", "view", "one");
  const second = alignments.find("a", "view", "two", { isTracking: true });
  assert.deepEqual(sent.map(({ view }) => view.picture), ["view", null]);
  worker.onmessage({ data: { id: sent[1].id, found: 2 } });
  worker.onmessage({ data: { id: sent[0].id, found: 1 } });
  assert.deepEqual(await Promise.all([first, second]), [1, 2]);
  const lost = alignments.find("a", "view", "three");
  worker.onerror();
  assert.equal(await lost, null);
  const closed = alignments.find("a", "view", "four");
  alignments.close();
  assert.equal(await closed, null);
});
