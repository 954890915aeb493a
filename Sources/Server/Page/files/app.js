// Starts the page: creates its parts, passes changes on to them, and handles the person's actions.

import { about, merged, hereMeters, remarks } from "./alerts.js";
import { boxText, loaded } from "./api.js";
import { byId, redraw, speak } from "./dom.js";
import { sendWaiting } from "./edits.js";
import { EventFollower } from "./events.js";
import { client, isInvited, opened as entry } from "./first.js";
import {
  drawCones, drawGraticule, drawOutlines, drawRings, drawTiles, drawTowns, drawTrails, middleScale,
} from "./map/drawing.js";
import {
  BrowserPosition, extended, isCurrent, isMine, markMe, positionOfPoint,
} from "./map/me.js";
import { Outlines } from "./map/world.js";
import { areaZoom, keepLeft, lastLeft, openedAround, personZoom } from "./map/opening.js";
import { PhotoMap } from "./map/photomap.js";
import { Pins, photoLook } from "./map/pins.js";
import { barMeters } from "./map/scale.js";
import { Tiles } from "./map/tiles.js";
import { Years } from "./map/years.js";
import { kept } from "./panel/choices.js";
import { Layers } from "./panel/layers.js";
import { Panel } from "./panel/panel.js";
import { listenForFilters } from "./panel/filtering.js";
import { listenForSearch } from "./panel/search.js";
import { Sheet } from "./panel/sheet.js";
import { Tabs } from "./panel/tabs.js";
import { Theme } from "./panel/theme.js";
import { Toasts } from "./panel/toasts.js";
import { Router, clusterPlace, viewOf } from "./router.js";
import { joined } from "./session.js";
import { Store } from "./store.js";
import { later } from "./views/later.js";
import { canTakeAgain, openJoined, openTour } from "./views/lazily.js";
import { nearby } from "./views/nearby.js";
import { problemCard, problemTexts } from "./views/parts.js";
import { words } from "./words/words.js";

const townZoom = 4.4;
const coneZoom = 14;
const followZoom = 16.2;
const followedConeDegrees = 55;
const unnamedDevice = "-";
const quietPause = 2000;

document.documentElement.lang = words.language;
speak(words);

const firstPlace = { view: "nearby" };
const store = new Store({
  status: null, statusProblem: null, filters: {}, origin: null, isFollowing: false,
  // What the person chose as near: `me` or `map`; null for me if the position is current.
  near: null,
  // Whether the map is where it was last left.
  isLeft: false,
  alerts: null, alertsNext: null, alertsProblem: null, fresh: new Set(), unseen: 0,
  trail: [], track: [], cones: [], towns: [], previewRadius: null, place: firstPlace,
  collections: [],
});
const { session } = client;
const toasts = new Toasts(words);
const map = new PhotoMap(byId("map"));
const theme = new Theme((palette) => {
  map.palette = palette;
  map.draw();
});
const outlines = new Outlines(() => map.draw());
const tiles = new Tiles(() => map.draw());
const years = new Years({
  words,
  onChange: (span) => narrow({ ...store.get("filters"), ...span }),
  onReset: () => narrow({}),
});
const tabs = new Tabs({ words, onSelect: (view) => page.go({ view }) });
const sheet = new Sheet({ words, onChange: coverMap });
const pins = new Pins(map, byId("pins"), {
  look: photoLook(words), onOpen: (item) => openPin(item),
});
const browserPosition = new BrowserPosition();
const router = new Router({
  onVisit({ place, ...position }) {
    showPlace(place);
    map.show(position);
  },
  onLayer(depth, isSamePlace) {
    layers.arrived(depth);
    if (isSamePlace) router.moved(map.position, store.get("place"));
  },
  onKey: takeKey,
});
const layers = new Layers(router);

/** The state shared by the views. */
const page = {
  client, layers, map, store, theme, toasts, words, years,
  // Own places, once they are loaded and if the server stores them.
  places: null,
  // The events of the server, by their names; `detail` is the value.
  news: new EventTarget(),
  now: () => new Date(),
  // `isInstead`: replaces the current entry in the history.
  go({ isAgain = false, isInstead = false, ...place }) {
    // A dialog that was just closed is left in the history first.
    const settling = layers.settle();
    if (settling) return settling.then(() => page.go({ isAgain, isInstead, ...place }));
    isUntouched = false;
    // Going back from what was sought also undoes its filters.
    if (place.sought) {
      router.moved(map.position, { ...store.get("place"), sought: store.get("filters") });
    }
    if (isInstead) router.moved(map.position, place);
    else router.went(map.position, place);
    sheet.raise();
    showPlace({ ...place, isAgain }, { isArrival: true });
  },
  follow,
  showAll,
  openPin,
  // What spots are near to: `me` or `map`.
  get near() {
    const origin = store.get("origin");
    return store.get("near") ?? (isCurrent(origin, page.now()) ? "me" : "map");
  },
  // Chooses what spots are near to; the position is asked for if it is unknown.
  chooseNear(what) {
    if (what === "me") return follow();
    store.set({ near: "map", isFollowing: false });
  },
  narrow,
  showError(problem) {
    if (problem.needsKey || problem.name === "AbortError") return;
    const { title, detail } = problemTexts(problem, words);
    toasts.show(title, detail);
  },
  // A key in the address was refused, but the browser is logged in already.
  showRefusal(problem) {
    if (problem.status !== 401) return page.showError(problem);
    const text = words.say(problem.slug === "wrong-code" ? "key.wrongCode" : "key.wrong");
    toasts.show(text, words.say("key.already"));
  },
  // Draws the map again after a choice for this page changed.
  drawMap: () => map.draw(),
  showCones: (cones) => store.set({ cones }),
  showTrack: (track) => store.set({ track }),
  previewRadius: (radius) => store.set({ previewRadius: radius }),
  seen() {
    store.set({ unseen: 0 });
  },
  loadAlerts,
  loadMoreAlerts,
};
const otherViews = {
  cluster: () => import("./views/cluster.js"),
  spot: () => import("./views/spot.js"),
  place: () => import("./views/place.js"),
  places: () => import("./views/places.js"),
  keep: () => import("./views/keep.js"),
  alerts: () => import("./views/alerts.js"),
  replay: () => import("./views/replay.js"),
  settings: () => import("./views/settings.js"),
  key: () => import("./views/key.js"),
};
const panel = new Panel({
  nearby,
  ...Object.fromEntries(
    Object.entries(otherViews).map(([name, load]) => [name, later(load, name)])),
}, page);
const events = new EventFollower({
  onEvent: heard,
  onState: showLink,
  onRefused: () => entrance.refused(),
});
const entrance = joined({
  session, client, events, onAsk: askForKey,
  onOpen() {
    refusal = null;
    start();
  },
});

// ---- The map: its layers, pins and overlays.

map.add(
  (scene) => drawOutlines(scene, outlines.forZoom(scene.view.zoom)),
  (scene) => drawTiles(scene, tiles.ready(scene.view, scene.frame)),
  (scene) => drawGraticule(scene, words),
  (scene) => drawRings(scene, {
    origin: store.get("origin"), alertRadius: alertRadius(), words,
  }),
  (scene) => drawCones(scene, shownCones(scene.view)),
  (scene) => drawTrails(scene, [
    { points: store.get("trail"), color: "trail" },
    { points: store.get("track"), color: "replay" },
  ]),
  (scene) => drawTowns(scene, {
    towns: kept("names") === "shown" ? store.get("towns") : [], taken: [...pins.boxes, ...page.places?.boxes ?? []],
  }));
markMe(map, store);
listenForSearch(page);
const filterButton = listenForFilters(page);

// No requests before the server knows the page and the position is known.
let isStarted = false;
// Whether the key in the address was answered, so that requests are those of a session.
let isEntered = false;
// Whether the person has neither moved the map nor gone anywhere yet.
let isUntouched = true;
let items = [];
let itemsZoom = 0;
let pinRequest = null;
let townRequest = null;

async function showPins() {
  pinRequest?.abort();
  pinRequest = new AbortController();
  const { signal } = pinRequest;
  const zoom = Math.floor(Math.max(0, map.view.zoom) * 2) / 2;
  try {
    const answer = await client.get("clusters", {
      box: boxText(map.box(90)), zoom, ...store.get("filters"),
    }, { signal });
    items = answer.items;
    itemsZoom = answer.zoom;
    pins.show(items);
    pins.mark(store.get("place").id ?? null);
    page.places?.arrange();
    countInView();
    map.draw();
  } catch (problem) {
    // The pins stay; the panel shows problems.
    if (problem.name !== "AbortError" && !(problem.status >= 0)) throw problem;
  }
}

// Shows only the photos that pass filters.
function narrow(filters) {
  years.choose(filters);
  if (JSON.stringify(filters) !== JSON.stringify(store.get("filters"))) store.set({ filters });
}

function countInView() {
  years.count(pins.inView.reduce((sum, item) => sum + item.photos, 0));
}

async function showTowns() {
  townRequest?.abort();
  if (map.view.zoom < townZoom) return store.set({ towns: [] });
  townRequest = new AbortController();
  const { signal } = townRequest;
  try {
    const { items: towns } = await client.get("towns", {
      box: boxText(map.box()), limit: map.view.zoom < 7 ? 30 : 50,
    }, { signal });
    store.set({ towns });
  } catch (problem) {
    if (problem.name !== "AbortError" && !(problem.status >= 0)) throw problem;
  }
}

function openPin(item, zoom = itemsZoom) {
  if (item.spot && item.spots === 1) return page.go({ view: "spot", id: item.spot });
  const query = { zoom, filters: store.get("filters") };
  page.go(clusterPlace(item, words.place(item), query));
}

// An open spot shows its own cones; the map shows those of single spots at close zooms.
function shownCones(view) {
  const own = store.get("cones");
  if (own.length > 0 || view.zoom < coneZoom) return own;
  return items.filter((item) => item.spots === 1 && item.heading != null)
    .map((item) => ({ ...item, width: followedConeDegrees, isStrong: false }));
}

function alertRadius() {
  return store.get("previewRadius") ?? store.get("status")?.proximityRadius ?? 0;
}

function showScale() {
  const scale = middleScale(map.view);
  const meters = barMeters(scale, words.units);
  byId("scale-bar").style.width = `${meters / scale}px`;
  byId("scale-text").textContent = words.length(meters);
}

// Panels reduce the visible map; controls matter only for fitting.
function coverMap() {
  const { width, height } = byId("map").getBoundingClientRect();
  const box = (id) => byId(id).getBoundingClientRect();
  const insets = sheet.isOn
    ? { left: 0, top: 0, right: 0, bottom: sheet.height }
    : { left: box("panel").right, top: 0, right: 0, bottom: 0 };
  const yearsTop = byId("years").hidden ? height : box("years-range").top - (sheet.isOn ? 0 : 60);
  const filtersTop = Math.min(yearsTop, page.places?.filterTop ?? height);
  map.cover(insets, {
    left: 0,
    top: sheet.isOn ? box("top").bottom : 0,
    right: width - box("tools").left,
    bottom: Math.max(0, height - insets.bottom - filtersTop),
  });
}

map.addEventListener("moved", () => {
  if (!isStarted) return;
  showPins();
  showTowns();
  router.moved(map.position, store.get("place"));
  keepLeft(map.position);
  panel.notify("moved");
});
map.addEventListener("drawn", showScale);
map.addEventListener("drawn", countInView);
map.addEventListener("touched", () => {
  isUntouched = false;
  store.set({ isFollowing: false, isLeft: false });
});
map.addEventListener("panned", () => page.chooseNear("map"));
addEventListener("resize", coverMap);
byId("zoom-in").addEventListener("click", () => map.zoomBy(1));
byId("zoom-out").addEventListener("click", () => map.zoomBy(-1));
byId("follow").addEventListener("click", () => {
  if (store.get("isFollowing")) store.set({ isFollowing: false });
  else follow();
});
byId("show-all").addEventListener("click", showAll);

function showAll() {
  const box = store.get("status")?.box;
  if (box) map.fit(box, { zoomLimit: 15 });
}

// ---- State: status, alerts, devices.

async function loadStatus() {
  const status = await client.get("status");
  store.set({ status, statusProblem: null });
  years.show(status.years ?? {});
  tiles.use(ownAddress(status.tiles));
  showNotice(status);
  coverMap();
}

// What is shown as it was read last, because it cannot be read now, and what does not work.
function showNotice({ outages = [], staleRoots = [] }) {
  const { list, say } = words;
  const parts = outages.filter((part) => part !== "lan");
  const texts = [];
  if (parts.length > 0) {
    texts.push(say("notice.parts", { parts: list(parts.map((part) => say(`notice.${part}`))) }));
  }
  if (staleRoots.length > 0) texts.push(say("notice.folders", { folders: list(staleRoots) }));
  if (outages.includes("lan")) texts.push(say("notice.lan"));
  byId("notice").hidden = texts.length === 0;
  byId("notice").textContent = texts.join(" ");
}

// Map tiles come from this server only.
function ownAddress(template) {
  const isOwn = template && new URL(template, location.href).origin === location.origin;
  return isOwn ? template : null;
}

async function loadAlerts({ signal } = {}) {
  try {
    const answer = await client.get("alerts", { limit: 50 }, { signal });
    const isFirst = store.get("alerts") === null;
    const { alerts: known, fresh } = merged(store.get("alerts") ?? [], answer.items);
    store.set({ alerts: known, alertsProblem: null });
    if (isFirst) store.set({ alertsNext: answer.next });
    else showFresh(fresh);
  } catch (problem) {
    if (problem.name !== "AbortError") store.set({ alertsProblem: problem });
  }
}

async function loadMoreAlerts() {
  try {
    const answer = await client.get(store.get("alertsNext"));
    const { alerts: known } = merged(store.get("alerts"), answer.items);
    store.set({ alerts: known, alertsNext: answer.next });
  } catch (problem) {
    page.showError(problem);
  }
}

async function loadDevices() {
  try {
    const { items } = await client.get("devices");
    // Devices without a position come last.
    const device = items.find(({ latitude }) => latitude !== undefined);
    if (!device) return;
    moveTo(device);
    loadTrail(device);
  } catch (problem) {
    if (!(problem.status >= 0)) throw problem;
  }
}

async function loadTrail({ device }) {
  try {
    const route = `devices/${encodeURIComponent(device ?? unnamedDevice)}/trail`;
    const { points } = await client.get(route);
    store.set({ trail: points.map(positionOfPoint) });
  } catch (problem) {
    if (!(problem.status >= 0)) throw problem;
  }
}

// ---- Events.

const reactions = {
  position: moveTo,
  alert: (alert) => {
    const { alerts: known, fresh } = merged(store.get("alerts") ?? [], [alert]);
    store.set({ alerts: known });
    showFresh(fresh);
  },
  // An alert that is listed was delivered, or given up.
  delivery: (alert) => {
    const known = store.get("alerts") ?? [];
    if (known.some(({ id }) => id === alert.id)) {
      store.set({ alerts: merged(known, [alert]).alerts });
    }
  },
  index: async () => {
    if (store.get("statusProblem")) return start();
    byId("progress").hidden = true;
    const wasEmpty = store.get("status")?.photos === 0;
    await loadStatus();
    if (wasEmpty) showAll();
    showPins();
    panel.notify("refresh");
  },
  progress: showProgress,
  indexing: () => byId("progress").hidden = true,
  mutes: () => panel.notify("mutes"),
  places: () => page.places?.refresh(),
  recreation: () => panel.notify("refresh"),
  settings: async () => {
    panel.notify("settings");
    await loadStatus();
    // The size of spots may have changed.
    await showPins();
  },
  outages: loadStatus,
  gap: async () => {
    await Promise.all([
      reactions.index(), reactions.places(), loadAlerts(), loadDevices(),
    ]);
  },
};

function heard(name, value) {
  page.news.dispatchEvent(new CustomEvent(name, { detail: value }));
  Promise.resolve(reactions[name]?.(value)).catch((problem) => {
    if (!(problem.status >= 0)) throw problem;
  });
}

function showFresh(incoming) {
  const fresh = incoming.filter(({ kind }) => kind === "notified");
  if (fresh.length === 0) return;
  store.set({
    fresh: new Set([...store.get("fresh"), ...fresh.map(({ id }) => id)]),
    unseen: store.get("place").view === "alerts" ? 0 : store.get("unseen") + fresh.length,
  });
  for (const alert of fresh) announce(alert);
  panel.notify("alerts");
}

function announce(alert) {
  const { say, place, walk } = words;
  const { spot: found, distance, bearing } = alert;
  const title = distance < hereMeters ? say("toast.here", { place: place(found) })
    : say("toast.title", { place: place(found), walk: walk(distance, bearing ?? 0) });
  const texts = [...about(found, words), ...remarks(alert, words)];
  toasts.show(title, texts.reduce((first, second) => say("list.two", { first, second })), {
    cover: found.cover, action: () => page.go(viewOf(found.id)),
  });
  pins.ring(found.id);
  page.places?.ring(found.id);
  // Browsers allow vibration only after the first touch.
  if (navigator.userActivation?.hasBeenActive) navigator.vibrate?.(80);
}

function moveTo(origin) {
  if (!isMine(origin, store.get("origin"))) return;
  store.set({ origin, trail: extended(store.get("trail"), origin) });
  const { latitude, longitude } = origin;
  if (store.get("isFollowing") && !map.isMoving) map.fly({ latitude, longitude });
  map.draw();
}

function follow() {
  const origin = store.get("origin");
  if (origin) {
    store.set({ near: "me", isFollowing: true, isLeft: false });
    const { latitude, longitude } = origin;
    return map.fly({ latitude, longitude, zoom: Math.max(map.view.zoom, followZoom) });
  }
  const refuse = (why) => toasts.show(
    words.say(`position.${why}`), words.say(`position.${why}Detail`));
  if (browserPosition.obstacle) return refuse(browserPosition.obstacle);
  browserPosition.start((position) => {
    const isFirst = !store.get("origin");
    moveTo(position);
    if (isFirst) follow();
  }, refuse);
}

function showProgress({ scanned = 0, located = 0, secondsLeft }) {
  const { say, number, timeLeft } = words;
  byId("progress").hidden = false;
  const counts = say("progress.counts", { scanned: number(scanned), located: number(located) });
  byId("progress-text").textContent = secondsLeft == null ? counts
    : say("list.two", { first: counts, second: timeLeft(secondsLeft) });
}

// Photos that were taken while the server was unreachable.
function sendUnsent() {
  if (!canTakeAgain(page)) return;
  import("./again/later.js").then((unsent) => unsent.sendUnsent(page), () => {});
}

// Own places are loaded after the photos, and again if that failed.
let isStartingPlaces = false;

async function startPlaces() {
  if (page.places) return page.places.refresh();
  if (isStartingPlaces) return;
  isStartingPlaces = true;
  try {
    const { Places } = await import("./places/places.js");
    page.places = await Places.started(page, {
      photosOnMap: () => items, onChange: (change) => panel.notify(change), onCover: coverMap,
    });
    page.places?.mark(store.get("place").id ?? null);
    if (page.places) panel.notify("places");
  } catch {
    // The next connection tries again.
  } finally {
    isStartingPlaces = false;
  }
}

let wasOff = false;

function showLink(state) {
  const link = byId("link");
  // Repeats the requests that failed while the server was unreachable.
  if (state === "live" && wasOff && isStarted) {
    showPins();
    startPlaces();
    panel.notify("refresh");
  }
  if (state === "live" && isStarted) {
    sendUnsent();
    sendWaiting();
  }
  wasOff = state === "off" || wasOff && state !== "live";
  link.dataset.state = state;
  const text = words.say(`link.${state}`);
  if (link.lastElementChild.textContent !== text) link.lastElementChild.textContent = text;
}

store.on(["filters"], () => {
  const place = store.get("place");
  if (place.sought) {
    store.set({ place: { ...place, sought: store.get("filters") } });
    router.moved(map.position, store.get("place"));
  }
  filterButton.show(store.get("filters"));
  showPins();
  panel.notify("filters");
});
store.on(["origin"], () => panel.notify("position"));
store.on(["near"], () => panel.notify("near"));
store.on(["alerts", "alertsProblem"], () => panel.notify("alerts"));
store.on(["unseen"], () => tabs.badge(store.get("unseen")));
store.on(["isFollowing"], () => {
  byId("follow").setAttribute("aria-pressed", String(store.get("isFollowing")));
  panel.notify("moved");
});
store.on(["towns", "isLeft"], () => panel.notify("towns"));
store.on(["cones", "track", "trail", "towns", "previewRadius", "status"], () => map.draw());

// ---- Navigation, and the start.

function showPlace({ isAgain = false, ...place }, { isArrival = false } = {}) {
  store.set({ place });
  if (place.sought) narrow(place.sought);
  tabs.mark(place.view);
  pins.mark(place.id ?? null);
  page.places?.mark(place.id ?? null);
  // The form stays until the person is let in, whichever tab is chosen.
  if (session.isAsked) return showKeyForm();
  if (store.get("statusProblem")) return showProblem(store.get("statusProblem"));
  panel.show(place, { isArrival, isAgain });
}

function showProblem(problem) {
  map.begin();
  panel.close();
  redraw(byId("view"), problemCard(problem, words, start));
}

// Why the last key or code in an address was refused.
let refusal = null;
const whenEntered = entry.then((problem) => {
  refusal = problem;
});

function askForKey(problem) {
  if (problem?.slug === "no-token") refusal = problem;
  map.begin();
  showKeyForm();
}

function showKeyForm() {
  panel.show({ view: "key", problem: refusal });
}

// A key or code entered into the address of the open page.
async function takeKey(key, isPhone) {
  const wasAsked = session.isAsked;
  const problem = isPhone
    ? await loaded(() => import("./phones/letin.js"))
      .then(({ letIn }) => letIn(client, key), (failed) => failed)
    : await client.open(key).then(() => null, (refused) => refused);
  router.forgetKey();
  if (session.isAsked) {
    refusal = problem;
    return showKeyForm();
  }
  if (problem) page.showRefusal(problem);
  if (!wasAsked) router.moved(map.position, store.get("place"));
  showJoined();
}

// A phone that just came in is shown the apps that send its position.
function showJoined() {
  if (!client.phone || !isStarted) return;
  openJoined(page, client.phone);
  client.phone = null;
}

// The person, else where the map was left; null for the area with most of the photos.
async function openingPosition() {
  const origin = store.get("origin");
  const isMe = isCurrent(origin, page.now());
  const position = isMe ? { ...origin, zoom: personZoom } : lastLeft();
  if (!position) return null;
  const spot = await nearestSpot(position);
  store.set({ isLeft: !isMe });
  return openedAround(position, spot, map.frame);
}

async function nearestSpot({ latitude, longitude }) {
  try {
    const near = `${latitude.toFixed(6)},${longitude.toFixed(6)}`;
    const { items } = await client.get("spots", { near, limit: 1 });
    return items[0] ?? null;
  } catch (problem) {
    if (!(problem.status >= 0)) throw problem;
    return null;
  }
}

// A browser that may tell the position does so from the start; the map shows it unless the person
// was faster.
async function resumePosition() {
  if (store.get("origin") || browserPosition.obstacle) return;
  const asked = navigator.permissions?.query({ name: "geolocation" });
  if ((await asked?.catch(() => null))?.state !== "granted") return;
  browserPosition.start(async (position) => {
    const isFirst = !store.get("origin");
    moveTo(position);
    if (!isFirst || !isUntouched) return;
    const spot = await nearestSpot(position);
    if (!isUntouched) return;
    map.show(openedAround({ ...position, zoom: personZoom }, spot, map.frame));
    store.set({ isLeft: false });
  }, () => {});
}

async function start() {
  await whenEntered;
  isEntered = true;
  // A reload before the server has the key still finds it in the address.
  if (router.opened?.key !== undefined) router.forgetKey();
  const known = loadAlerts();
  try {
    await Promise.all([loadStatus(), loadDevices()]);
  } catch (problem) {
    // It may have been asked for before the page could show it.
    if (problem.needsKey) return session.isAsked && askForKey(problem);
    store.set({ statusProblem: problem });
    events.start();
    return showProblem(problem);
  }
  if (refusal) page.showRefusal(refusal);
  refusal = null;
  const opened = router.opened;
  const position = opened ?? await openingPosition();
  isStarted = true;
  const { densest } = store.get("status");
  if (position) map.show(position);
  else if (densest) map.fit(densest, { zoomLimit: areaZoom, isAtOnce: true });
  const wentTo = store.get("place") === firstPlace ? null : store.get("place");
  map.begin();
  router.start();
  showPlace(wentTo ?? opened?.place ?? firstPlace);
  router.moved(map.position, store.get("place"));
  if (isInvited && !client.phone && store.get("status").photos > 0) openTour(page);
  showJoined();
  isUntouched &&= !opened && !wentTo;
  resumePosition();
  startPlaces();
  // Alerts are new if they were unknown before, including those fired while the stream opens.
  await known;
  events.start();
  loadAlerts();
  // Preloads the other views with low priority.
  setTimeout(() => Object.values(otherViews).forEach((load) => load().catch(() => {})), quietPause);
}

// A hidden page is idle; when it is shown again it first gets the missed events.
document.addEventListener("visibilitychange", () => {
  if (document.hidden) entrance.left();
  else if (isEntered) entrance.returned();
});

years.isOpen = !sheet.isOn;
coverMap();
start();
