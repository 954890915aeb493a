// Nearby: the spot nearest to the person or to the map's center, if it is within a walk, else what
// to look back at; then a list of further spots and own places. Updates keep the focus and the
// scroll position.

import { Problem } from "../api.js";
import { arrow, element, picture, reconcile, redraw, setText, showPicture, turn } from "../dom.js";
import { distance } from "../geodesy.js";
import { isHere } from "../words/speech.js";
import { canTakeAgain, openAgain } from "./lazily.js";
import { button, empty, fillRow, problemCard, skeleton, spotRow } from "./parts.js";

const listed = 30;
const stepMeters = 5;
const settleMilliseconds = 250;
// The map is named after the town of a spot within this distance.
const townMeters = 50_000;
// An hour's walk.
const walkMeters = 5000;
// Further out, the middle of the map is nowhere that one could stand.
const standingZoom = 11;

/**
 * Merges spots and own places into one list, nearest first, at most `limit`. Places pinned to one
 * of the spots are omitted, since the spot represents them. Pure.
 *
 * - `nearest`: the spot shown above the list.
 */
export function joined(nearest, spots, places, limit = listed) {
  const shown = new Set([nearest, ...spots].map((spot) => spot?.id));
  const others = places.filter(({ spot }) => spot == null || !shown.has(spot));
  return [...spots, ...others].sort((a, b) => a.distance - b.distance).slice(0, limit);
}

/**
 * Whether a spot, if there is any, is within a walk of the person, or of the map's center. Pure.
 *
 * - `near`: `me` or `map`; `zoom`: that of the map.
 */
export const isWithinWalk = (spot, near, zoom) =>
  Boolean(spot) && spot.distance <= walkMeters && (near === "me" || zoom > standingZoom);

/** Shows the view. */
export function nearby(pane, place, page, signal) {
  const { words, store, client } = page;
  const parts = makeParts(page);
  let queriedOrigin = null;
  let request = null;
  let settling = 0;
  let indexNumber = 0;
  let shownHome = null;
  let folders = null;

  async function ask() {
    const isEmpty = store.get("status")?.photos === 0;
    if (folders?.isOpen && !folders.isChoosing) return folders.refresh();
    if (isEmpty && !page.places) return showEmpty();
    const origin = page.near === "me" ? store.get("origin") : page.map.position;
    queriedOrigin = origin;
    request?.abort();
    request = new AbortController();
    const { latitude, longitude } = origin;
    const near = `${latitude.toFixed(6)},${longitude.toFixed(6)}`;
    const options = { signal: AbortSignal.any([signal, request.signal]) };
    try {
      const [{ items }, places] = await Promise.all([
        client.get("spots", { near, limit: listed + 1, ...store.get("filters") }, options),
        page.places?.near({ near, limit: listed }, options) ?? [],
      ]);
      if (isEmpty && places.length === 0) return showEmpty();
      folders?.close();
      fill(items, places);
    } catch (problem) {
      if (problem.name === "AbortError" || problem.needsKey) return;
      const keepsWhatIsShown = problem.isOffline && parts.content.isConnected;
      if (!keepsWhatIsShown) redraw(pane, problemCard(problem, words, restart));
    }
  }

  function restart() {
    redraw(pane, skeleton(words, 42, 250, 76, 76, 76));
    return ask();
  }

  // An empty library offers the folders of photos on the server's machine.
  async function showEmpty() {
    if (folders?.isOpen) return;
    try {
      const { openFolders } = await import("./folders.js");
      if (folders?.isOpen || signal.aborted) return;
      folders = openFolders(pane, page, signal, () => {
        page.showAll();
        restart();
      });
    } catch {
      const problem = new Problem({ type: "/problems/offline" });
      if (!signal.aborted) redraw(pane, problemCard(problem, words, showEmpty));
    }
  }

  function fill(items, places) {
    const [nearest, ...others] = items;
    parts.town = nearest?.distance < townMeters ? nearest.place?.name : null;
    fillSource(parts, page);
    parts.places.hidden = !page.places;
    const isNear = isWithinWalk(nearest, page.near, page.map.view.zoom);
    const all = isNear ? joined(nearest, others, places) : joined(null, items, places);
    fillList(parts, all, page);
    if (!nearest) {
      redraw(pane, parts.from, noSpots(page), parts.further, parts.list);
      return;
    }
    parts.near.hidden = !isNear;
    parts.home.hidden = isNear;
    if (isNear) fillNearest(parts, nearest, page);
    else showHome();
    if (!parts.content.isConnected) redraw(pane, parts.content);
    if (parts.from.parentElement === parts.content) return;
    parts.content.prepend(parts.from);
    parts.content.append(parts.further, parts.list);
  }

  // It changes with the day, the filters and the index only.
  async function showHome() {
    const filters = store.get("filters");
    try {
      const { fillHome, monthDay } = await import("./home.js");
      const around = monthDay(page.now());
      const wanted = JSON.stringify([around, filters, indexNumber]);
      if (shownHome === wanted || signal.aborted) return;
      shownHome = wanted;
      const memories = await client.get("memories", { ...filters, around }, { signal });
      if (shownHome === wanted) await fillHome(parts.home, memories, page, signal);
    } catch (problem) {
      // The list below it stays.
      shownHome = null;
      if (problem.name !== "AbortError") redraw(parts.home);
    }
  }

  restart();
  return {
    position() {
      const origin = store.get("origin");
      if (page.near === "map") return fillSource(parts, page);
      if (!queriedOrigin || distance(queriedOrigin, origin) >= stepMeters) ask();
      else fillSource(parts, page);
    },
    moved() {
      if (page.near === "me") return fillSource(parts, page);
      clearTimeout(settling);
      settling = setTimeout(ask, settleMilliseconds);
    },
    towns: () => fillSource(parts, page),
    near: ask,
    filters: ask,
    refresh() {
      indexNumber += 1;
      return ask();
    },
    places: ask,
    close() {
      clearTimeout(settling);
      folders?.close();
    },
  };
}

function makeParts(page) {
  const { words: { say }, store } = page;
  const parts = {
    source: element("div.source", {}, element("span.dot"), element("span"),
      button("quiet.small", null, "", () => {
        if (store.get("isFollowing")) store.set({ isFollowing: false });
        else page.follow();
      })),
    choice: element("div.choice", { role: "group", "aria-label": say("from.label") },
      ["me", "map"].map((what) => element("button", {
        type: "button", onclick: () => page.chooseNear(what),
      }, say(`from.${what}`)))),
    big: element("span.big", {}, arrow(0), element("span")),
    sub: element("span.sub"),
    name: element("span.name"),
    cover: picture(null, { size: 1024, isSquare: false, className: "cover", isLazy: false }),
    further: element("div.between", {}, element("h3.over", {}, say("nearby.further"))),
    places: button("quiet", null, say("places.title"), () => page.go({ view: "places" })),
    list: element("ul.list", { "aria-label": say("nearby.list") }),
  };
  parts.further.append(parts.places);
  const open = () => page.go({ view: "spot", id: parts.nearest.dataset.spot });
  parts.nearest = element("button.nearest", { type: "button", onclick: open },
    parts.cover, element("span.veil"),
    element("span.texts", {}, parts.name, parts.big, parts.sub));
  parts.again = button("main.wide", "camera", say("again.open"), async () => {
    try {
      const route = `spots/${encodeURIComponent(parts.nearest.dataset.spot)}`;
      openAgain(page, await page.client.get(route));
    } catch (problem) {
      page.showError(problem);
    }
  });
  parts.from = element("div.from", {}, parts.choice, parts.source);
  parts.near = element("div.stack", {}, parts.nearest,
    element("div.actions", {}, parts.again, button("wide", "years", say("nearby.years"), open)));
  parts.home = element("div.stack", {});
  parts.content = element("div.stack", {},
    element("h2.hidden-text", {}, say("nearby.title")),
    parts.from, parts.near, parts.home, parts.further, parts.list);
  return parts;
}

// The reason for the lack of spots: no photos at all, or none in the selected years.
function noSpots({ words: { say }, store, years }) {
  if (store.get("status").photos === 0) {
    return empty("camera", say("empty.title"), say("empty.detail"));
  }
  return empty("near", say("empty.years"), say("empty.yearsDetail"),
    button("small", null, say("empty.widen"), () => years.reset()));
}

function fillList({ further, places, list }, items, page) {
  const { words } = page;
  const isPlace = ({ kind }) => kind !== undefined;
  further.firstElementChild.hidden = items.length === 0;
  further.hidden = items.length === 0 && places.hidden;
  list.setAttribute("aria-label",
    words.say(items.some(isPlace) ? "nearby.both" : "nearby.list"));
  reconcile(list, items, {
    key: (item) => item.id,
    create: (item) => isPlace(item) ? page.places.row(item)
      : spotRow((id) => page.go({ view: "spot", id })),
    update: (row, item) => isPlace(item) ? page.places.fillRow(row, item)
      : fillRow(row, item, { words, now: page.now() }),
  });
}

function fillSource({ choice, source, town: nearestTown }, page) {
  const { words: { say, distance: meters }, store } = page;
  const origin = store.get("origin");
  const isMe = page.near === "me";
  [...choice.children].forEach((one, index) =>
    one.setAttribute("aria-pressed", String((index === 0) === isMe)));
  const [dot, text, action] = source.children;
  dot.classList.toggle("none", !isMe);
  if (isMe) {
    const within = origin.horizontalAccuracy > 0
      ? say("nearby.within", { distance: meters(Math.max(5, origin.horizontalAccuracy)) }) : null;
    const first = deviceName(origin, say);
    setText(text, within ? say("list.two", { first, second: within }) : first);
  } else {
    const town = store.get("isLeft") ? store.get("towns")[0]?.name ?? nearestTown : null;
    setText(text, town ? say("first.left", { place: town }) : say("nearby.middle"));
  }
  const isFollowing = store.get("isFollowing");
  action.hidden = !isMe && origin !== null;
  setText(action, say(!isMe ? "nearby.locate" : isFollowing ? "first.following" : "nearby.follow"));
  if (isMe) action.setAttribute("aria-pressed", String(isFollowing));
  else action.removeAttribute("aria-pressed");
}

function deviceName({ isBrowser, device }, say) {
  if (isBrowser) return say("nearby.browser");
  const isPhone = device == null || device === "phone";
  return isPhone ? say("nearby.phone") : say("nearby.device", { device });
}

function fillNearest({ nearest, again, cover, name, big, sub }, spot, page) {
  const origin = page.store.get("origin");
  const isReachable = !origin || distance(origin, spot) <= walkMeters;
  again.hidden = !canTakeAgain(page) || !isReachable;
  const { say, place, walk, photos, years, ago } = page.words;
  const values = {
    place: place(spot),
    walk: walk(spot.distance, spot.bearing),
    photos: photos(spot.photoCount),
    years: years(spot),
  };
  nearest.dataset.spot = spot.id;
  nearest.setAttribute("aria-label", say("nearby.nearest", values));
  showPicture(cover, spot.cover, { size: 1024, isSquare: false });
  big.firstElementChild.toggleAttribute("hidden", isHere(spot.distance));
  turn(big.firstElementChild, spot.bearing);
  setText(big.lastElementChild, values.walk);
  setText(name, values.place);
  const last = spot.lastCaptured
    ? say("nearby.last", { ago: ago(spot.lastCaptured, page.now()) }) : null;
  setText(sub, [values.photos, values.years, last].filter(Boolean)
    .reduce((first, second) => say("list.two", { first, second })));
}
