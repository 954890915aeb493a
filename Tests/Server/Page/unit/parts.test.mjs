// Addresses, the store, the client, events, alerts, and the pure functions of views.
import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { about, byDay, merged, outcomes, remarks } from "../../../../Sources/Server/Page/files/alerts.js";
import { Client, Problem, boxText, loaded, path, pictureAddress } from "../../../../Sources/Server/Page/files/api.js";
import { EventFollower } from "../../../../Sources/Server/Page/files/events.js";
import { bearing, distance, readCoordinates } from "../../../../Sources/Server/Page/files/geodesy.js";
import { clusterPlace, readAddress, writeAddress } from "../../../../Sources/Server/Page/files/router.js";
import { Session } from "../../../../Sources/Server/Page/files/session.js";
import { Store } from "../../../../Sources/Server/Page/files/store.js";
import { isMine } from "../../../../Sources/Server/Page/files/map/me.js";
import { browserName } from "../../../../Sources/Server/Page/files/views/browsers.js";
import { query } from "../../../../Sources/Server/Page/files/views/cluster.js";
import { reportTexts } from "../../../../Sources/Server/Page/files/views/devices.js";
import { headingOfProblem } from "../../../../Sources/Server/Page/files/views/parts.js";
import { captions } from "../../../../Sources/Server/Page/files/views/photo.js";
import { settingsToTry, sums } from "../../../../Sources/Server/Page/files/views/replay.js";
import { meters, quietHours, quietSetting } from "../../../../Sources/Server/Page/files/views/settings.js";
import { isAnswerable } from "../../../../Sources/Server/Page/files/views/alerts.js";
import { byYear, conesOf } from "../../../../Sources/Server/Page/files/views/spot.js";
import english from "../../../../Sources/Server/Page/files/words/en.js";
import { speech } from "../../../../Sources/Server/Page/files/words/speech.js";

const words = speech(english, "en-GB");
const close = (a, b, within) => assert.ok(Math.abs(a - b) <= within, `${a} is not ${b}`);

test("a spot is said to be gone only where the server says so", () => {
  const heading = (status, type) => headingOfProblem(new Problem({ type, status }), words);
  assert.equal(heading(404, "/problems/no-such-spot"), "Gone");
  assert.equal(heading(undefined, "/problems/offline"), "Not loaded");
  assert.equal(heading(503, "/problems/index-unavailable"), "Not loaded");
});

test("an address round-trips", () => {
  const places = [{ view: "nearby" }, { view: "alerts" }, { view: "spot", id: "47xjsbmtz9sp" }];
  for (const place of places) {
    for (const zoom of [0, 1.5432, 17.7, 20]) {
      const position = { zoom, latitude: -33.8570123, longitude: 151.2150456 };
      const read = readAddress(writeAddress(position, place));
      assert.deepEqual(read.place, place);
      assert.equal(read.zoom, zoom);
      // The precision is a fifth of a pixel.
      close(read.longitude, position.longitude, 0.3 / 2 ** zoom);
      close(read.latitude, position.latitude, 0.3 / 2 ** zoom);
    }
  }
});

test("the link in an alert opens the camera, and the address drops it", () => {
  const { place, ...position } = readAddress("#17/43.4665/-11.8823/spot/47xjsbmtz9sp/again");
  assert.deepEqual(place, { view: "spot", id: "47xjsbmtz9sp", isAgain: true });
  assert.deepEqual(position, { zoom: 17, latitude: 43.4665, longitude: -11.8823 });
  assert.equal(writeAddress(position, place), "#17/43.4665/-11.8823/spot/47xjsbmtz9sp");
  assert.deepEqual(readAddress("#17/1/2/alerts/x/again").place, { view: "alerts" });
  assert.equal(readAddress("#17/1/2/spot/x/again/y"), null);
});

test("an alert of the last 24 hours can be answered, unless its spot is muted", () => {
  const now = new Date("2026-11-22T12:00:00Z");
  const alert = { kind: "notified", time: "2026-11-21T12:00:01Z", spot: { photoCount: 3 } };
  assert.ok(isAnswerable(alert, now));
  for (const other of [
    { kind: "passed" }, { time: "2026-11-21T12:00:00Z" }, { spot: {} },
    { spot: { photoCount: 3, muted: true } },
  ]) assert.ok(!isAnswerable({ ...alert, ...other }, now));
});

test("a cluster has the address of Nearby", () => {
  const item = { box: [1, 2, 3, 4], latitude: 2, longitude: 3, photos: 9 };
  const place = clusterPlace(item, "Arezzo", { zoom: 3.5, filters: {} });
  assert.equal(writeAddress({ zoom: 3, latitude: 1, longitude: 2 }, place), "#3/1/2/nearby");
});

test("a cluster requests its pin's spots, or with other filters those in its box", () => {
  const item = { box: [1, 2, 3, 4], latitude: 2, longitude: 3 };
  const place = clusterPlace(item, "Arezzo", { zoom: 3.5, filters: { from: 2008 } });
  assert.deepEqual(query(place, { from: 2008 }), {
    box: "1.999998,2.999998,2.000002,3.000002", zoom: 3.5,
  });
  assert.deepEqual(query(place, {}), { box: "0.999998,1.999998,3.000002,4.000002" });
});

test("one of several devices is followed until it is silent", () => {
  const at = (device, minute) => ({ device, time: `2026-01-01T10:${minute}:00Z` });
  assert.ok(isMine(at("phone", "00"), null));
  assert.ok(isMine(at("phone", "01"), at("phone", "00")));
  assert.ok(!isMine(at("watch", "01"), at("phone", "00")));
  assert.ok(isMine(at("watch", "11"), at("phone", "00")));
  assert.ok(!isMine({ ...at(undefined, "01"), isBrowser: true }, at(undefined, "00")));
});

test("an invalid address is null", () => {
  for (const hash of ["", "#", "#a/b/c", "#3/91/2", "#3/1/181", "#3/1"]) assert.equal(readAddress(hash), null);
  assert.deepEqual(readAddress("#3/1/2/nonsense").place, { view: "nearby" });
  assert.deepEqual(readAddress("#key=abc"), { key: "abc" });
  assert.deepEqual(readAddress("#key=%zz"), { key: "%zz" });
  assert.deepEqual(readAddress("#pair=K7Q2MX9RT4HD&phone").key, "K7Q2MX9RT4HD");
  assert.equal(readAddress("#pair=K7Q2MX9RT4HD&x"), null);
});

test("typed coordinates are parsed in the usual notations", () => {
  const near = (text, latitude, longitude) => {
    const read = readCoordinates(text);
    assert.ok(read, text);
    close(read.latitude, latitude, 1e-6);
    close(read.longitude, longitude, 1e-6);
  };
  near("48.8584, 2.2945", 48.8584, 2.2945);
  near("-33.8568 151.2153", -33.8568, 151.2153);
  near("33.8568 S 70.5 W", -33.8568, -70.5);
  near("48°51'30\"N 2°17'40\"E", 48.858333, 2.294444);
  near("10.5° N, 20.25° O", 10.5, -20.25);
  for (const text of ["Paris", "91, 2", "48.8584", "1, 2, 3"]) assert.equal(readCoordinates(text), null);
});

test("distance and bearing match the sphere", () => {
  const [a, b] = [{ latitude: 48.86, longitude: 2.29 }, { latitude: 48.8619433, longitude: 2.2883117 }];
  close(distance(a, b), 248.9, 0.2);
  close(bearing(a, b), 330.3, 0.3);
  close(distance({ latitude: 0, longitude: 179.9 }, { latitude: 0, longitude: -179.9 }), 22239, 1);
});

test("the store notifies each listener once per change", () => {
  const store = new Store({ a: 1, b: 2 });
  const heard = mock.fn();
  store.on(["a", "b"], heard);
  store.set({ a: 1 });
  assert.equal(heard.mock.callCount(), 0);
  store.set({ a: 3, b: 4 });
  assert.equal(heard.mock.callCount(), 1);
  assert.equal(store.get("b"), 4);
});

test("a path has its parameters except missing ones", () => {
  assert.equal(path("spots", { near: "1,2", from: null, limit: 30 }), "spots?near=1,2&limit=30");
  assert.equal(path("towns", { query: "São & co" }), "towns?query=S%C3%A3o%20%26%20co");
  assert.equal(path("status"), "status");
  assert.equal(boxText({ south: -1, west: 2.12345678, north: 3, east: 4 }), "-1,2.123457,3,4");
  assert.equal(pictureAddress("a/b", 96, true), "api/v1/photos/a%2Fb/picture?size=96&shape=square");
});

const answers = (status, body) => async () => ({
  ok: status < 300, status, json: async () => JSON.parse(body),
});

test("a response is a value, and a problem an error with its slug", async () => {
  assert.deepEqual(await new Client({ fetch: answers(200, '{"total":3}') }).get("spots"), { total: 3 });
  assert.equal(await new Client({ fetch: answers(204, "") }).send("DELETE", "mutes/a"), null);
  const body = '{"type":"/problems/index-damaged","title":"T","status":503,"detail":"D"}';
  await assert.rejects(new Client({ fetch: answers(503, body) }).get("status"), (problem) => {
    assert.ok(problem instanceof Problem);
    assert.deepEqual([problem.slug, problem.status, problem.detail], ["index-damaged", 503, "D"]);
    return true;
  });
  await assert.rejects(new Client({ fetch: answers(502, "<html>") }).get("status"), { status: 502 });
});

test("a network failure is an offline problem, and an aborted request is not", async () => {
  const fails = (error) => async () => { throw error; };
  await assert.rejects(new Client({ fetch: fails(new TypeError("x")) }).get("status"), { isOffline: true });
  const aborted = Object.assign(new Error(), { name: "AbortError" });
  await assert.rejects(new Client({ fetch: fails(aborted) }).get("status"), { name: "AbortError" });
});

test("requests other than logins wait for the login of the address", async () => {
  const asked = [];
  const client = new Client({
    fetch: async (route, { method }) => {
      asked.push(method);
      return { ok: true, status: 200, json: async () => ({ token: "t" }) };
    },
  });
  let settle;
  client.wait(new Promise((resolve) => { settle = resolve; }));
  const status = client.get("status");
  await client.open("0123456789abcdef0123456789abcdef");
  assert.deepEqual(asked, ["POST"]);
  settle(null);
  await status;
  assert.deepEqual(asked, ["POST", "GET"]);
});

test("a missing key is reported, except by the key form", async () => {
  const client = new Client({ fetch: answers(401, "{}") });
  const onNoKey = client.session.onAsk = mock.fn();
  await assert.rejects(client.get("status"));
  await assert.rejects(client.send("POST", "session", { json: { key: "x" } }));
  assert.equal(onNoKey.mock.callCount(), 1);
});

test("the next page of a list is requested by its path", async () => {
  const fetch = mock.fn(answers(200, "{}"));
  await new Client({ fetch }).get("/api/v1/spots?cursor=x");
  assert.equal(fetch.mock.calls[0].arguments[0], "api/v1/spots?cursor=x");
});

class FakeSource extends EventTarget {
  constructor(address) {
    super();
    Object.assign(this, { address, readyState: 0, isClosed: false });
  }
  close() { this.isClosed = true; }
  tell(name, data, lastEventId) {
    this.dispatchEvent(Object.assign(new Event(name), { data, lastEventId }));
  }
}

function follower() {
  const sources = [];
  const states = [];
  const heard = [];
  const one = new EventFollower({
    make: (address) => sources[sources.push(new FakeSource(address)) - 1],
    onState: (state) => states.push(state),
    onEvent: (name, value) => heard.push([name, value]),
  });
  return { one, sources, states, heard };
}

test("events resume after the last one when the page is visible again", () => {
  const { one, sources, states, heard } = follower();
  one.start();
  assert.equal(sources[0].address, "api/v1/events");
  sources[0].onopen();
  sources[0].tell("alert", '{"id":"a"}', "boot-7");
  one.stop();
  assert.ok(sources[0].isClosed);
  one.start();
  assert.equal(sources[1].address, "api/v1/events?after=boot-7");
  assert.deepEqual(heard, [["alert", { id: "a" }]]);
  assert.deepEqual(states, ["connecting", "live", "connecting"]);
});

test("a rejected event stream is reopened after 2 s", () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  const { one, sources, states } = follower();
  one.start();
  sources[0].readyState = 2;
  sources[0].onerror();
  assert.deepEqual(states, ["connecting", "off"]);
  mock.timers.tick(2000);
  assert.equal(sources.length, 2);
  mock.timers.reset();
});

test("an interruption before the first event is a gap", () => {
  const { one, sources, heard } = follower();
  one.start();
  sources[0].onopen();
  sources[0].onerror();
  sources[0].onopen();
  assert.deepEqual(heard, [["gap", {}]]);
  sources[0].tell("position", "{}", "boot-1");
  sources[0].onerror();
  sources[0].onopen();
  assert.equal(heard.length, 2);
});

test("a stream says where it stands, so that a page hidden before any event misses none", () => {
  const { one, sources, heard } = follower();
  one.start();
  sources[0].onopen();
  sources[0].tell("start", "{}", "boot-3");
  one.stop();
  one.start();
  assert.equal(sources[1].address, "api/v1/events?after=boot-3");
  sources[1].onopen();
  assert.deepEqual(heard, []);
});

test("a stream that restarts without knowing where it stood has a gap", () => {
  const { one, sources, heard } = follower();
  one.start();
  one.stop();
  one.start();
  sources[1].onopen();
  assert.deepEqual(heard, [["gap", {}]]);
});

test("repeated alerts are merged, the latest first", () => {
  const [a, b, c] = ["2026-01-01", "2026-01-02", "2026-01-03"].map((time, id) => ({ id, time }));
  const { alerts, fresh } = merged([b, a], [b, c, c]);
  assert.deepEqual(alerts.map(({ id }) => id), [2, 1, 0]);
  assert.deepEqual(fresh, [c]);
  const told = merged([b], [{ ...b, deliveries: [1] }]);
  assert.deepEqual(told.alerts[0].deliveries, [1]);
});

test("an alert shows its remarks and outcomes", () => {
  const memory = { anniversaryYears: 7, anniversaryDaysAway: 3, yearCount: 4 };
  assert.deepEqual(remarks({ memory }, words), ["7 years ago this week", "4 different years"]);
  assert.deepEqual(remarks({ memory: { ...memory, anniversaryDaysAway: 20, yearCount: 1 } }, words), []);
  assert.deepEqual(remarks({}, words), []);
  const deliveries = [
    { notifier: "stdout", result: "delivered" }, { notifier: "ntfy", result: "delivered" },
    { notifier: "hook", result: "expired" }, { notifier: "mqtt", result: "pending" },
    { notifier: "gotify", result: "setAside" },
  ];
  assert.deepEqual(outcomes({ kind: "notified", deliveries }, words).map(({ text }) => text),
    ["sent to ntfy", "not sent to hook", "not sent yet to mqtt", "not sent to gotify"]);
  assert.deepEqual(outcomes({ kind: "suppressed", decision: "paced" }, words), [
    { text: "Too soon after another", isDone: false },
  ]);
});

test("an alert shows its spot's photos, or the kind of a place without photos", () => {
  const spot = { photoCount: 3, firstCaptured: "2008-01-01", lastCaptured: "2021-01-01" };
  assert.deepEqual(about(spot, words), ["3 photos", "2008–2021"]);
  const ownPlace = { id: "a", name: "Oak", kind: "tree", notes: 2 };
  assert.deepEqual(about({ ...spot, ownPlace }, words), ["3 photos", "2008–2021"]);
  assert.deepEqual(about({ photoCount: 0, ownPlace }, words), ["tree", "2 notes"]);
  assert.deepEqual(about({ photoCount: 0, ownPlace: { ...ownPlace, notes: 0 } }, words), ["tree"]);
});

test("alerts are grouped by their day", () => {
  const alerts = ["2026-01-02T10", "2026-01-02T09", "2026-01-01T10"].map((time) => ({ time }));
  assert.deepEqual(byDay(alerts, (time) => time.slice(0, 10)).map((group) => group.alerts.length), [2, 1]);
});

test("photos of a spot are grouped by year, undated ones last", () => {
  const photos = [{ captured: "2008-01-01" }, { captured: "2008-05-01" }, {}, { captured: "2019-01-01" }];
  const groups = byYear(photos, words.year);
  assert.deepEqual(groups.map(({ year, photos: those }) => [year, those.length]),
    [["2008", 2], ["2019", 1], [null, 1]]);
});

test("a view cone has the lens's angle of view, and the cover's is highlighted", () => {
  const photos = [
    { id: "a", latitude: 1, longitude: 2, heading: 90, focalLength35mm: 18 },
    { id: "b", latitude: 1, longitude: 2, heading: 0 }, { id: "c", latitude: 1, longitude: 2 },
  ];
  const cones = conesOf({ photos, cover: "a" });
  assert.equal(cones.length, 2);
  close(cones[0].width, 90, 1e-9);
  assert.deepEqual(cones.map(({ isStrong }) => isStrong), [true, false]);
});

test("a photo's captions show its metadata and file names", () => {
  const photo = {
    name: "<img onerror>.jpg", files: ["<img onerror>.jpg", "a.raw"], make: "NIKON",
    model: "NIKON D90", heading: 135, focalLength35mm: 28, source: "EXIF",
  };
  assert.deepEqual(captions(photo, words), [
    "<img onerror>.jpg", "NIKON D90", "28 mm", "facing south-east", "also a.raw",
  ]);
  assert.deepEqual(captions({ name: "a.jpg", model: "X100" }, words), ["a.jpg", "X100"]);
  assert.deepEqual(captions({ name: "a.jpg", caption: "Title\n<b>Words</b>" }, words),
    ["Title", "<b>Words</b>", "a.jpg"]);
  assert.deepEqual(captions({ name: "a.jpg", source: "inferred" }, words),
    ["a.jpg", "position from a recorded track"]);
});

test("a replay sends only settings that differ from the current ones", () => {
  const inForce = { radius: 100, dwell: 0 };
  assert.equal(settingsToTry({ radius: 100, dwell: 0 }, inForce), null);
  assert.equal(settingsToTry({ radius: 50, dwell: 30 }, inForce), "proximityRadius=50m,dwell=30s");
});

test("the sums of a replay are those of its last run", () => {
  const day = (fires) => ({ meters: 500, fixes: 10, visits: fires.map((one) => ({ fires: one })) });
  const { told, kept, meters: walked, fixes } = sums({
    runs: [{ days: [day([true])] }, { days: [day([true, false]), day([false])] }],
  });
  assert.deepEqual([told, kept, walked, fixes], [1, 2, 1000, 20]);
});

test("setting values are parsed and formatted like those of config.json", () => {
  assert.deepEqual(["100 m", "1.5 km", "250"].map(meters), [100, 1500, 250]);
  assert.equal(meters("far"), null);
  assert.deepEqual(quietHours("22:00-07:00"), ["22:00", "07:00"]);
  assert.deepEqual(quietHours("off"), ["", ""]);
  assert.equal(quietSetting("22:00", "07:00"), "22:00-07:00");
  assert.equal(quietSetting("", ""), null);
  assert.equal(quietSetting("22:00", ""), undefined);
});

test("a prefetched response is used once", async () => {
  const asked = [];
  const answers = [{ status: 200, body: { photos: 1 } }, { status: 200, body: { photos: 2 } }];
  const client = new Client({
    fetch: async (address) => {
      asked.push(address);
      const { status, body } = answers.shift();
      return new Response(JSON.stringify(body), { status });
    },
  });
  client.ahead("status");
  assert.deepEqual(asked, ["api/v1/status"]);
  assert.deepEqual(await client.get("status"), { photos: 1 });
  assert.deepEqual(asked, ["api/v1/status"]);
  assert.deepEqual(await client.get("status"), { photos: 2 });
});

test("a problem of a prefetched request is thrown to the caller", async () => {
  const client = new Client({ fetch: async () => new Response("{}", { status: 503 }) });
  client.ahead("alerts", { limit: 50 });
  await new Promise((resolve) => setImmediate(resolve));
  await assert.rejects(client.get("alerts", { limit: 50 }), Problem);
});

test("a key or a code is extracted from a pasted address", async () => {
  const bodies = [];
  const client = new Client({
    fetch: async (_, { body }) => {
      bodies.push(JSON.parse(body));
      return new Response('{"token":"t"}', { status: 200 });
    },
  });
  await client.open(" http://127.0.0.1:8090/#key=abc ");
  await client.open("abc");
  await client.open("http://127.0.0.1:8090/#pair=K7Q2MX9RT4HD");
  await client.open("k7q2-mx9r t4hd");
  assert.deepEqual(bodies, [
    { key: "abc" }, { key: "abc" }, { code: "K7Q2MX9RT4HD" }, { code: "k7q2-mx9r t4hd" },
  ]);
});

// A session with its stored token, and what it told the page.
function sessionWith(stored = {}) {
  const told = [];
  const session = new Session({
    tokens: {
      getItem: (name) => stored[name] ?? null,
      setItem: (name, value) => { stored[name] = value; },
      removeItem: (name) => delete stored[name],
    },
  });
  session.onAsk = (problem) => told.push(problem?.slug ?? "asked");
  session.onOpen = () => told.push("opened");
  return { session, told, stored };
}

test("the person is asked for the key once, whatever is refused in which order", async () => {
  const { session, told, stored } = sessionWith();
  const waiting = [];
  const client = new Client({
    session, fetch: () => new Promise((resolve) => waiting.push(resolve)),
  });
  const answer = (status, body = "{}") => waiting.shift()(new Response(body, { status }));
  const refused = () => answer(401, '{"type":"/problems/no-key"}');
  // Three requests and a late one of before the login.
  const asked = [1, 2, 3].map(() => client.get("status").catch(() => {}));
  refused();
  refused();
  await Promise.all(asked.slice(0, 2));
  assert.deepEqual([told, session.isAsked], [["no-key"], true]);
  const login = client.open("K7Q2MX9RT4HD");
  const late = waiting.shift();
  answer(200, '{"token":"t1"}');
  await login;
  assert.deepEqual([told, session.isAsked], [["no-key", "opened"], false]);
  late(new Response("{}", { status: 401 }));
  await asked[2];
  assert.equal(session.isAsked, false, "a refusal of before the login does not ask again");
  // It expires, and the person returns with a wrong key, then with the right one.
  const expired = client.get("alerts").catch(() => {});
  refused();
  await expired;
  const wrong = client.open("wrong").catch(() => {});
  refused();
  await wrong;
  assert.equal(told.length, 3);
  assert.ok(session.isAsked);
  const right = client.open("right");
  answer(200, '{"token":"t2"}');
  await right;
  assert.deepEqual(told.slice(2), ["no-key", "opened"]);
  assert.deepEqual(stored, { "photospots-token": "t2" });
  const out = client.logOut();
  answer(204, null);
  await out;
  assert.deepEqual([told.at(-1), session.isAsked, stored], ["asked", true, {}]);
  session.resumed();
  assert.deepEqual([told.at(-1), session.isAsked], ["opened", false]);
});

test("changes send the token, and a lost token asks for the key", async () => {
  const { session, told } = sessionWith({ "photospots-token": "t" });
  const sent = [];
  const client = new Client({
    session,
    fetch: async (_, { headers }) => {
      sent.push(headers["photospots-token"]);
      return new Response('{"type":"/problems/no-token"}', { status: 403 });
    },
  });
  await assert.rejects(client.send("PATCH", "settings", { json: {} }), { needsKey: true });
  assert.deepEqual([sent, told], [["t"], ["no-token"]]);
});

test("without storage the token lasts while the page is open", () => {
  const fails = () => { throw new Error("SecurityError"); };
  const session = new Session({ tokens: { getItem: fails, setItem: fails, removeItem: fails } });
  assert.equal(session.token, null);
  session.began("t");
  assert.equal(session.token, "t");
});

test("browsers are named by what they say about themselves", () => {
  for (const [agent, expected] of [
    ["Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0", ["Firefox", "Linux"]],
    ["Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/156.0 Safari/537.36 Edg/156.0", ["Edge", "Windows"]],
    ["Mozilla/5.0 (iPhone; CPU iPhone OS 26_2 like Mac OS X) Version/26.2 Mobile Safari/604.1", ["Safari", "iPhone"]],
    ["Mozilla/5.0 (Linux; Android 16) AppleWebKit/537.36 Chrome/156.0 Mobile Safari/537.36", ["Chrome", "Android"]],
    ["curl/8.14", [null, null]],
  ]) assert.deepEqual(browserName(agent), expected);
});

test("a device's reports are counted by their ends, with the corrections of its clock and speeds", () => {
  const reports = {
    received: 7, accepted: 3, withoutPosition: 1, refused: { late: 1, inaccurate: 2 },
  };
  assert.deepEqual(reportTexts({ reports }, words), [
    "7 reports", "3 accepted", "1 without a position",
    "3 refused (1 not newer than the one before, 2 too inaccurate)",
  ]);
  assert.deepEqual(reportTexts({ clockShift: -18000, speedFactor: 3.6 }, words), [
    "its clock is 300 minutes behind, which is corrected",
    "it reports 360% of its real speed, which is corrected",
  ]);
  assert.deepEqual(reportTexts({}, words), []);
});

test("a module is asked for again where the network fails for a moment", async () => {
  const pauses = [];
  const pause = async (milliseconds) => pauses.push(milliseconds);
  const failing = (times) => async () => {
    if (times-- > 0) throw new TypeError("Failed to fetch dynamically imported module");
    return "module";
  };
  assert.equal(await loaded(failing(0), pause), "module");
  assert.equal(pauses.length, 0);
  assert.equal(await loaded(failing(2), pause), "module");
  assert.equal(pauses.length, 2);
  await assert.rejects(loaded(failing(3), pause), (problem) => problem.isOffline);
});
