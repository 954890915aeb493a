// A spot: its photos by year, ending with an empty frame for this year; the way there, the camera's
// direction and lens, and a switch to mute its alerts.

import { arrow, element, icon, picture, redraw, setText, turn } from "../dom.js";
import { bearing, distance } from "../geodesy.js";
import { hereMeters } from "../alerts.js";
import { canTakeAgain, openAgain, openCompare } from "./lazily.js";
import { button, headed, headingOfProblem, problemCard, skeleton } from "./parts.js";
import { openPhoto } from "./photo.js";

const filmHalfWidth = 18;
const usualConeDegrees = 60;

/**
 * Groups a spot's photos by year, in order of capture: `[{ year, photos }]`; undated ones last.
 * Pure.
 */
export function byYear(photos, yearOf) {
  const years = new Map();
  for (const photo of photos) {
    const year = yearOf(photo.captured);
    years.set(year, [...(years.get(year) ?? []), photo]);
  }
  const groups = [...years].map(([year, those]) => ({ year, photos: those }));
  return [...groups.filter(({ year }) => year), ...groups.filter(({ year }) => !year)];
}

/** The cameras' fields of view, for `drawCones`. Pure. */
export const conesOf = ({ photos, cover }) => photos.filter(({ heading }) => heading != null)
  .map(({ id, latitude, longitude, heading, focalLength35mm: lens }) => ({
    latitude, longitude, heading, isStrong: id === cover,
    width: lens ? (2 * Math.atan(filmHalfWidth / lens) * 180) / Math.PI : usualConeDegrees,
  }));

/** Shows a spot. */
export function spot(pane, { id, isArrival, isAgain }, page, signal) {
  const { words, client, store } = page;
  let known = null;
  let walk = null;
  // Whether the view is being opened, and whether an equal answer is drawn too.
  let isOpening = false;
  let isForced = false;
  // The numbers of the latest request and of the latest that was answered: an older answer may
  // arrive after a newer one.
  let requests = 0;
  let answered = 0;

  async function load() {
    requests += 1;
    const request = requests;
    const isLate = () => request < answered;
    try {
      const answer = await client.get(`spots/${encodeURIComponent(id)}`, {}, { signal });
      if (isLate()) return;
      answered = request;
      if (!isForced && JSON.stringify(answer) === JSON.stringify(known)) return;
      known = answer;
      draw();
    } catch (problem) {
      if (problem.name === "AbortError" || problem.needsKey || isLate()) return;
      if (problem.isOffline && known) return;
      isForced = true;
      const { head, heading } = headed(page, headingOfProblem(problem, words), "");
      redraw(pane, head, problemCard(problem, words, start));
      heading.focus({ preventScroll: true });
    }
  }

  function draw() {
    const isFirst = isOpening;
    isOpening = isForced = false;
    const { say, place, photos, years, coordinates } = words;
    const line = say("list.two", { first: photos(known.photoCount), second: years(known) });
    const { head, heading } = headed(page, place(known), line);
    walk = fact("arrow", say("spot.walk"), "");
    redraw(pane, head, reel(known, page), facts(known, walk, page),
      element("div.between", {}, muteButton(known, page), placeButton(known, page),
        element("a.button.quiet.small", {
          href: `geo:${known.latitude.toFixed(6)},${known.longitude.toFixed(6)}`,
        }, say("spot.geo"))),
      element("p.soft", {}, coordinates(known)), ...actions(known, page));
    showWalk();
    page.showCones(conesOf(known));
    if (!isFirst) return;
    heading.focus({ preventScroll: true });
    if (isAgain && canTakeAgain(page)) openAgain(page, known);
    if (isArrival) {
      const { latitude, longitude } = known;
      page.map.fly({ latitude, longitude, zoom: Math.max(page.map.view.zoom, 16) });
    }
  }

  function showWalk() {
    const origin = store.get("origin");
    if (!walk) return;
    walk.hidden = !origin;
    if (!origin) return;
    const meters = distance(origin, known);
    const degrees = bearing(origin, known);
    turn(walk.firstElementChild, degrees);
    setText(walk.querySelector(".value"),
      meters < hereMeters ? words.say("spot.here") : words.walk(meters, degrees));
  }

  function start() {
    isOpening = true;
    redraw(pane, skeleton(words, 44, 220, 60, 60));
    return load();
  }

  start();
  return {
    position: showWalk,
    refresh: load,
    places: () => {
      isForced ||= known !== null && !pane.querySelector("[data-place]");
      return load();
    },
    mutes: load,
    close: () => page.showCones([]),
  };
}

function reel(known, page) {
  const { say, year, photos: counted, ago } = page.words;
  const frames = byYear(known.photos, year).map(({ year: name, photos }) => {
    const shown = name ?? say("date.none");
    const last = photos.at(-1);
    return element("li", { "data-key": shown }, element("button.frame", {
      type: "button",
      "aria-label": say("spot.year", { year: shown, photos: counted(photos.length) }),
      onclick: () => openPhoto(page, known, last.id),
    }, element("span.print", {}, picture(last.id, { size: 512, isSquare: false }),
      photos.length > 1 && element("span.number", {}, String(photos.length))),
    element("span.year", {}, shown),
    last.captured && element("span.soft", {}, ago(last.captured, page.now()))));
  });
  return element("ol.reel", { "aria-label": say("spot.years") }, frames, thisYear(known, page));
}

// The empty frame for this year's photo: a button if the server saves photos taken again.
function thisYear(known, page) {
  const { say } = page.words;
  const year = String(page.now().getFullYear());
  const label = say("spot.now", { year });
  const frame = canTakeAgain(page)
    ? element("button.frame.now", {
      type: "button", "aria-label": label, onclick: () => openAgain(page, known),
    }) : element("div.frame.now");
  frame.append(element("span.print.blank", {}, icon("camera")),
    element("span.year", {}, year),
    element("span.hidden-text", {}, say("spot.nowSeparator")),
    element("span.soft", {}, say("spot.nowShort")));
  return element("li", { "aria-label": label, "data-key": "now" }, frame);
}

// The buttons for the photos in a bar below the view, as a list of one element; empty if there are
// none.
function actions(known, page) {
  const { say } = page.words;
  const buttons = [
    canTakeAgain(page)
      && button("main.wide", "camera", say("again.open"), () => openAgain(page, known)),
    known.photos.length > 1
      && button("wide", "compare", say("compare.years"), () => openCompare(page, known)),
  ].filter(Boolean);
  return buttons.length > 0 ? [element("div.actions.stand", {}, buttons)] : [];
}

function facts(known, walk, page) {
  const { say, direction, ago } = page.words;
  const lens = known.photos.find(({ focalLength35mm }) => focalLength35mm)?.focalLength35mm;
  return element("div.facts", {}, walk,
    known.heading != null
      && fact(arrow(known.heading), say("spot.faced"), direction(known.heading)),
    lens && fact("lens", say("spot.lens"), say("unit.lens", { value: Math.round(lens) })),
    known.lastCaptured
      && fact("clock", say("spot.last"), ago(known.lastCaptured, page.now())),
    known.lastRecreated
      && fact("again", say("spot.recreated"), ago(known.lastRecreated, page.now())));
}

const fact = (drawing, name, value) => element("div.fact", {},
  typeof drawing === "string" ? icon(drawing) : drawing,
  element("div", {}, element("div.name", {}, name), element("div.value", {}, value)));

// A button that opens the place pinned to the spot, or the form for a new one.
function placeButton(known, page) {
  const { say, place, notes } = page.words;
  if (!page.places) return null;
  const { id, latitude, longitude, ownPlace: pinned } = known;
  const text = pinned
    ? say("list.two", { first: pinned.name, second: notes(pinned.notes) }) : say("keep.open");
  const made = button(pinned ? "wide" : "keep", "place", element("span", {}, text), () =>
    page.go(pinned ? { view: "place", id: pinned.id }
      : { view: "keep", spot: id, title: place(known), latitude, longitude }));
  made.dataset.place = pinned?.id ?? "";
  made.dataset.key = "place";
  return made;
}

function muteButton(known, page) {
  const { say, place } = page.words;
  const text = () => say(known.muted ? "spot.unmute" : "spot.mute");
  const made = button("small", "mute", element("span", {}, text()), async () => {
    const route = `mutes/${encodeURIComponent(known.id)}`;
    try {
      if (known.muted) await page.client.send("DELETE", route);
      else await page.client.send("PUT", route, { json: {} });
      known.muted = known.muted ? null : true;
      setText(made.lastElementChild, text());
      page.toasts.show(say(known.muted ? "spot.muted" : "spot.unmuted"),
        known.muted ? say("spot.mutedDetail", { place: place(known) }) : place(known));
    } catch (problem) {
      page.showError(problem);
    }
  });
  made.dataset.key = "mute";
  return made;
}
