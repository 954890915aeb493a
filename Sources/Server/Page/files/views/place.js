// An own place: its name, the way there, photos, notes, details and position.

import { Problem } from "../api.js";
import { element, icon, picture, redraw, setText, turn } from "../dom.js";
import { Edits } from "../edits.js";
import { bearing, distance } from "../geodesy.js";
import { hereMeters } from "../alerts.js";
import { detailsPart } from "../places/details.js";
import { notesPart } from "../places/notes.js";
import { movePart } from "../places/position.js";
import { lineOf } from "../places/rows.js";
import { button, headed, headingOfProblem, problemCard, skeleton } from "./parts.js";
import { openPhoto } from "./photo.js";

const closeZoom = 16;
const maximumRemoved = 500;

/** Shows a place. */
export function place(pane, { id, isArrival }, page, signal) {
  const { words, client } = page;
  const { say } = words;
  const route = `places/${encodeURIComponent(id)}`;
  let known = null;
  let sheet = null;
  let requestCount = 0;
  let pendingCount = 0;
  let isStale = false;
  let turn = Promise.resolve();
  const edits = new Edits({
    send: (name, value) => queued("PATCH", null, { [name]: value }),
    onSettled(problem) {
      // What was refused is shown as the server has it.
      if (known) sheet?.show(known);
      if (!problem) return;
      if (!edits.isWaiting) page.showError(problem);
      else if (!problem.needsKey) page.toasts.show(say("edits.waiting"), say("edits.waitingDetail"));
    },
  });

  // A response from before a change is discarded, and the place is requested again.
  async function load({ isFirst = false } = {}) {
    const before = requestCount;
    try {
      const answer = await client.get(route, {}, { signal });
      if (pendingCount > 0) isStale = true;
      else if (before !== requestCount) await load();
      else take(answer, isFirst);
    } catch (problem) {
      if (problem.name === "AbortError" || problem.needsKey) return;
      if (problem.isOffline && known) return;
      const isGone = problem.status === 404;
      const removed = isGone ? await removedPlace() : null;
      if (removed) return take(removed, isFirst);
      if (signal.aborted) return;
      showProblem(isGone ? new Problem({ type: "/problems/no-such-place", status: 404 }) : problem);
    }
  }

  // Removed places are in a list of their own.
  async function removedPlace() {
    const query = { removed: true, limit: maximumRemoved };
    const { items } = await client.get("places", query, { signal }).catch(() => ({ items: [] }));
    return items.find((one) => one.id === id);
  }

  function showProblem(problem) {
    close();
    known = null;
    const { head, heading } = headed(page, headingOfProblem(problem, words), "");
    redraw(pane, head, problemCard(problem, words, start));
    heading.focus({ preventScroll: true });
  }

  /** Requests a change after all previous ones; returns the response. */
  function queued(method, below, json) {
    requestCount++;
    pendingCount++;
    const answer = turn.then(async () => {
      try {
        const place = await client.send(method, below ? `${route}/${below}` : route, { json });
        // If more changes are pending, only the last response is shown.
        if (place && pendingCount === 1) take(place);
        return place ?? {};
      } catch (problem) {
        isStale = true;
        throw problem;
      } finally {
        pendingCount--;
        if (pendingCount === 0 && isStale) {
          isStale = false;
          load();
        }
      }
    });
    turn = answer.catch(() => {});
    return answer;
  }

  /** Requests a change as `queued`; null on failure, which is shown. */
  async function change(method, below, json) {
    try {
      return await queued(method, below, json);
    } catch (problem) {
      page.showError(problem);
      return null;
    }
  }

  async function remove() {
    const { name } = known;
    if (!await change("DELETE")) return;
    page.toasts.show(say("place.removed", { name }), say("place.removedDetail"), {
      label: say("place.undo"), action: () => restore({ isUndone: true }),
    });
    page.places?.refresh();
    if (!signal.aborted) page.go({ view: "nearby" });
  }

  async function restore({ isUndone = false } = {}) {
    const answer = await change("POST", "restore");
    if (!answer) return;
    page.places?.refresh();
    if (isUndone) page.go({ view: "place", id });
  }

  function take(place, isFirst = false) {
    if (signal.aborted || !isFirst && JSON.stringify(place) === JSON.stringify(known)) return;
    const wasRemoved = known?.removed ?? null;
    known = place;
    edits.know(place);
    if (!sheet || wasRemoved !== (known.removed ?? null)) {
      sheet?.close();
      sheet = known.removed ? removedSheet(page, restore)
        : ownSheet(page, { change, edits, remove });
      redraw(pane, ...sheet.nodes);
    }
    sheet.show(known);
    if (!isFirst) return;
    sheet.heading.focus({ preventScroll: true });
    if (!isArrival) return;
    const { latitude, longitude } = known;
    page.map.fly({ latitude, longitude, zoom: Math.max(page.map.view.zoom, closeZoom) });
  }

  function start() {
    redraw(pane, skeleton(words, 44, 60, 120, 60));
    return load({ isFirst: true });
  }

  function close() {
    sheet?.close();
    sheet = null;
  }

  start();
  return {
    position: () => sheet?.showWalk?.(),
    refresh: () => load(),
    places: () => {
      // The map or the collections may not have been known before.
      if (known && pendingCount === 0) sheet?.show(known);
      return load();
    },
    close,
  };
}

// The sheet of a removed place, which can only be restored.
function removedSheet(page, restore) {
  const { words } = page;
  const { say } = words;
  const { head, heading, below } = headed(page, "", "");
  const when = element("p.soft");
  return {
    heading,
    nodes: [head, element("div.card", {}, when,
      button("main", "again", say("place.restore"), () => restore()))],
    show(place) {
      setText(heading, place.name);
      setText(below, lineOf(place, words));
      setText(when, say("place.removedOn", { day: words.localDay(place.removed) }));
    },
    close() {},
  };
}

function ownSheet(page, { change, edits, remove }) {
  const { words, store } = page;
  const { say } = words;
  let known = null;
  const { head, heading, below } = headed(page, "", "");
  const walk = fact("arrow", say("spot.walk"));
  const where = fact("locate", say("place.position"));
  const link = element("a.button.quiet", {}, say("spot.geo"));
  const photos = element("ul.reel", { "aria-label": say("place.photos") });
  const pinned = element("div");
  const notes = notesPart(page, change);
  const preview = (radius) => page.places?.showReach({ ...positionOf(known), radius });
  const details = detailsPart(page, { edits, preview });
  const move = movePart(page, (position) => change("PATCH", null, position));
  let shownPhotos = null;

  function showPhotos() {
    const shown = JSON.stringify(known.photos);
    if (shown === shownPhotos) return;
    shownPhotos = shown;
    photos.hidden = known.photos.length === 0;
    redraw(photos, ...frames(known, page));
  }

  function showPinned() {
    if (pinned.dataset.spot === (known.spot ?? "")) return;
    pinned.dataset.spot = known.spot ?? "";
    pinned.hidden = !known.spot;
    if (!known.spot) return redraw(pinned);
    const { spot } = known;
    redraw(pinned, button("wide", "camera", say("place.pinned"),
      () => page.go({ view: "spot", id: spot })),
    button("quiet", null, say("place.unpin"), async () => {
      if (await change("PATCH", null, { spot: null })) heading.focus({ preventScroll: true });
    }));
  }

  function showWalk() {
    const origin = store.get("origin");
    walk.hidden = !origin;
    if (!origin) return;
    const [meters, degrees] = [distance(origin, known), bearing(origin, known)];
    turn(walk.firstElementChild, degrees);
    setText(walk.querySelector(".value"),
      meters < hereMeters ? say("spot.here") : words.walk(meters, degrees));
  }

  return {
    heading,
    nodes: [head, photos, pinned, notes.node, element("div.facts.own", {}, walk, where),
      details.node, move.node, element("div.between", {}, link,
        button("quiet", null, say("place.removeAll"), remove))],
    show(place) {
      known = place;
      setText(heading, place.name || words.coordinates(place));
      setText(below, lineOf(place, words));
      showPhotos();
      showPinned();
      notes.show(place);
      showWalk();
      setText(where.querySelector(".value"), words.coordinates(place));
      link.href = `geo:${place.latitude.toFixed(6)},${place.longitude.toFixed(6)}`;
      details.show();
      move.show(place);
    },
    showWalk,
    close() {
      move.close();
      page.places?.showReach(null);
    },
  };
}

const positionOf = ({ latitude, longitude }) => ({ latitude, longitude });

// If a photo is not in the index, only its name is known.
function frames({ photos }, page) {
  const { words } = page;
  const { say } = words;
  const own = { photos: photos.filter(({ id }) => id), isPlace: true };
  return photos.map((photo) => {
    if (!photo.id) {
      return element("li", {}, element("div.frame", {},
        element("span.print", {}, picture(null, { size: 512 })),
        element("span.soft", {}, photo.name)));
    }
    const day = words.day(photo.captured);
    return element("li", {}, element("button.frame", {
      type: "button", "aria-label": say("photo.image", { day }),
      onclick: () => openPhoto(page, own, photo.id),
    }, element("span.print", {}, picture(photo.id, { size: 512, isSquare: false })),
    element("span.soft", {}, day)));
  });
}

const fact = (drawing, name) => element("div.fact", {}, icon(drawing),
  element("div", {}, element("div.name", {}, name), element("div.value")));
