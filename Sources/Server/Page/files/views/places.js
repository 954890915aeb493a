// A list of own places: all of them and the removed ones, or those counted by a pin.

import { boxText } from "../api.js";
import { element, reconcile, redraw, setText } from "../dom.js";
import { importer } from "../places/import.js";
import { button, empty, headed, problemCard, skeleton } from "./parts.js";

const pageLength = 200;
// The margin of a box in degrees, since its edges were rounded.
const edge = 2e-6;

/** The query for the places in a box, or all, in the collection if exactly one is chosen. Pure. */
export function query(box, chosen) {
  const [south, west, north, east] = box ?? [];
  return {
    box: box ? boxText({
      south: Math.max(-90, south - edge), west: west - edge,
      north: Math.min(90, north + edge), east: east + edge,
    }) : null,
    collection: chosen.length === 1 ? chosen[0] : null,
    limit: pageLength,
  };
}

/** Shows a list of places; `box` and `title` are a pin's, or undefined for all places. */
export function places(pane, { box, title, isArrival }, page, signal) {
  const { words, client, store } = page;
  const { say } = words;
  const name = box ? say("places.here") : say("places.title");
  const { head, heading, below } = headed(
    page, box ? say("cluster.title", { place: title }) : name, "");
  const list = element("ul.list", { "aria-label": name });
  const removed = element("div.stack", { hidden: true });
  const body = element("div.stack", {}, skeleton(words, 76, 76, 76));
  const more = button("wide", null, say("places.more"), () => load(next));
  let known = [];
  let next = null;

  async function load(route = null) {
    const chosen = store.get("collections");
    try {
      const answer = await (route ? client.get(route, {}, { signal })
        : client.get("places", query(box, chosen), { signal }));
      // A query can name only one collection, so several are filtered here.
      const isChosen = ({ collections }) =>
        chosen.length === 0 || collections.some((one) => chosen.includes(one));
      known = [...(route ? known : []), ...answer.items.filter(isChosen)];
      next = answer.next;
      fill(chosen.length > 1 ? known.length : answer.total);
    } catch (problem) {
      if (problem.name === "AbortError" || problem.needsKey) return;
      if (problem.isOffline && list.isConnected) return;
      redraw(body, problemCard(problem, words, () => load()));
    }
  }

  function fill(total) {
    const hadFocus = document.activeElement === more;
    const before = list.children.length;
    reconcile(list, known, {
      key: ({ id }) => id,
      create: () => page.places.row(),
      update: (row, place) => page.places.fillRow(row, place),
    });
    setText(below, words.places(total));
    const parts = known.length > 0 ? [list] : [
      empty("place", say("places.none"), say("places.noneDetail")),
    ];
    if (!list.isConnected || known.length === 0 || more.isConnected !== Boolean(next)) {
      redraw(body, ...parts, ...(next ? [more] : []));
    }
    if (hadFocus) list.children[before]?.firstElementChild.focus();
  }

  async function showRemoved() {
    if (box) return;
    try {
      const { items } = await client.get("places", { removed: true, limit: pageLength }, { signal });
      removed.hidden = items.length === 0;
      redraw(removed, element("h3.over", {}, say("places.removed")),
        element("ul.list", { "aria-label": say("places.removed") }, items.map(removedRow)));
    } catch (problem) {
      if (problem.name !== "AbortError" && !(problem.status >= 0)) throw problem;
    }
  }

  function removedRow(place) {
    return element("li.between", { "data-key": place.id }, element("span.texts", {}, place.name),
      button("again", null, say("place.restore"), async () => {
        try {
          await client.send("POST", `places/${encodeURIComponent(place.id)}/restore`);
          heading.focus({ preventScroll: true });
          page.places?.refresh();
        } catch (problem) {
          page.showError(problem);
        }
      }));
  }

  function start() {
    load();
    return showRemoved();
  }

  const keep = button("wide", "place", say("places.keepMiddle"), () => {
    const { latitude, longitude } = page.map.position;
    page.go({ view: "keep", latitude, longitude });
  });
  const taking = importer(page, signal, () => page.places?.refresh());
  redraw(pane, head, ...(box ? [] : [keep, taking]), body, removed);
  heading.focus({ preventScroll: true });
  if (isArrival && box) page.map.fit(box, { zoomLimit: 19 });
  if (page.places) start();
  return { places: start, refresh: start };
}
