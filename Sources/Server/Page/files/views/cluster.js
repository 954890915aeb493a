// A cluster: the spots counted by its pin, as a grid of covers.

import { boxText } from "../api.js";
import { element, picture, redraw } from "../dom.js";
import { button, headed, problemCard, skeleton } from "./parts.js";

const pageLength = 200;

/**
 * The query for a cluster's spots. Pure.
 *
 * Boxes of clusters may overlap, so the query names the pin, whose spots the server knows. Other
 * filters result in other clusters; then the query is for all spots in the box, as for an album.
 */
export function query({ box, pin, zoom, filters, album }, filtersNow) {
  if (album) return { box: boxText(around(box)) };
  if (JSON.stringify(filters) === JSON.stringify(filtersNow)) {
    const { latitude, longitude } = pin;
    return { box: boxText(around([latitude, longitude, latitude, longitude])), zoom };
  }
  return { box: boxText(around(box)) };
}

// Adds a margin in degrees to a box, since its edges were rounded.
function around([south, west, north, east]) {
  const edge = 2e-6;
  return { south: south - edge, west: west - edge, north: north + edge, east: east + edge };
}

/** Shows the spots in a cluster. */
export function cluster(pane, place, page, signal) {
  const { words, client, store } = page;
  const { say, photos, spots } = words;
  const { head, heading, below } = headed(page, place.album
    ? place.title : say("cluster.title", { place: place.title }), "");
  const grid = element("ul.grid", { "aria-label": say("cluster.list") });
  // The heading is not replaced, so it keeps the focus.
  const body = element("div.stack", {}, skeleton(words, 120, 120));
  const more = button("wide", null, say("cluster.more"), () => load(next));
  let counted = 0;
  let next = null;

  async function load(route) {
    try {
      const answer = await (route ? client.get(route, {}, { signal }) : client.get("spots", {
        ...query(place, store.get("filters")), limit: pageLength, ...store.get("filters"),
        ...(place.album && { album: place.album }),
      }, { signal }));
      const cells = answer.items.map((spot) => cell(spot, page));
      if (route) grid.append(...cells);
      else {
        redraw(grid, ...cells);
        counted = 0;
      }
      counted += answer.items.reduce((sum, spot) => sum + spot.photoCount, 0);
      next = answer.next;
      const values = { photos: photos(counted), spots: spots(answer.total) };
      below.textContent = next ? spots(answer.total) : say("cluster.counts", values);
      const hadFocus = document.activeElement === more;
      redraw(body, grid, ...(next ? [more] : []));
      if (hadFocus) cells[0]?.firstElementChild.focus();
    } catch (problem) {
      if (problem.name === "AbortError" || problem.needsKey) return;
      if (problem.isOffline && grid.isConnected) return;
      redraw(body, problemCard(problem, words, () => load(null)));
    }
  }

  redraw(pane, head, body);
  heading.focus({ preventScroll: true });
  if (place.isArrival) page.map.fit(place.box);
  load(null);
  return { filters: () => load(null), refresh: () => load(null) };
}

function cell(spot, page) {
  const { say, place, photos, years } = page.words;
  const values = { place: place(spot), photos: photos(spot.photoCount), years: years(spot) };
  return element("li", { "data-key": spot.id }, element("button", {
    type: "button",
    "aria-label": say("cluster.item", values),
    onclick: () => page.go({ view: "spot", id: spot.id }),
  }, picture(spot.cover, { size: 256 }),
  element("span.caption", {}, say("list.two", { first: values.years, second: values.photos }))));
}
