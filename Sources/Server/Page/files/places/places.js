// Own places on the map: requests, pins, collections, the mark of a position being chosen, and the
// circle in which the open place alerts.

import { element, byId } from "../dom.js";
import { distance } from "../geodesy.js";
import { Pins } from "../map/pins.js";
import { metersPerPixel, pinPixelOf, xOf, yOf } from "../map/mercator.js";
import { styled } from "../views/lazily.js";
import { boxOf, grouped, nearestOf, reachOf } from "./arrange.js";
import { CollectionFilter } from "./collections.js";
import { listenForKeeping } from "./keeping.js";
import { Mark } from "./mark.js";
import { placeLook } from "./pins.js";
import { fillPlaceRow, placeRow } from "./rows.js";

const most = 300;
const maximumCollections = 500;

/** The own places on the map. */
export class Places {
  #page;
  #photosOnMap;
  #onChange;
  #pins;
  #filter;
  #mark;
  #known = [];
  #request = null;
  #current = null;
  #reach = null;

  /**
   * Creates the places on the page's map, or null if the server does not store any.
   *
   * - `photosOnMap`: returns the items of the photos' pins; `onChange`: called with the kind of a
   *  change, for views; `onCover`: called when the filter covers another part of the map.
   */
  static async started(page, options) {
    try {
      const { items } = await collectionsOf(page.client);
      await styled("styles/places.css");
      return new Places(page, items, options);
    } catch (problem) {
      if (problem.status === 404) return null;
      throw problem;
    }
  }

  constructor(page, collections, { photosOnMap, onChange, onCover }) {
    this.#page = page;
    this.#photosOnMap = photosOnMap;
    this.#onChange = onChange;
    const { map, store, words } = page;
    const pane = element("div.pins", { role: "group", "aria-label": words.say("places.map") });
    byId("pins").after(pane);
    this.#pins = new Pins(map, pane, {
      look: placeLook(words), onOpen: (group) => this.#open(group),
    });
    this.#mark = new Mark(map, pane);
    this.#filter = new CollectionFilter({
      words, onCover, onChoose: (chosen) => store.set({ collections: chosen }),
    });
    map.addEventListener("moved", () => this.#ask());
    map.add((scene) => this.#drawReach(scene));
    store.on(["collections"], () => {
      this.#ask();
      onChange("places");
    });
    listenForKeeping(map, (position) => page.go({ view: "keep", ...position }));
    this.#showCollections(collections);
    this.#ask();
  }

  /** The loaded collections: `[{ name, count }]`. */
  get collections() {
    return this.#filter.collections;
  }

  /** The boxes of the pins in pixels. */
  get boxes() {
    return this.#pins.boxes;
  }

  /** The pixel from which the filter covers the map, or Infinity. */
  get filterTop() {
    return this.#filter.top;
  }

  /** Requests everything again after a place changed. */
  async refresh() {
    this.#ask();
    this.#onChange("places");
    try {
      this.#showCollections((await collectionsOf(this.#page.client)).items);
    } catch (problem) {
      throwUnlessExpected(problem);
    }
  }

  /** The places of the selected collections nearest to `near`; none on failure. */
  async near(query, options) {
    try {
      return await this.#nearest(query, options);
    } catch (problem) {
      if (problem.name === "AbortError") throw problem;
      throwUnlessExpected(problem);
      return [];
    }
  }

  /** The place nearest to the map's center whose name contains a text, or undefined. */
  async named(text) {
    const { client, map } = this.#page;
    const { items } = await client.get("places", { query: text, near: nearOf(map), limit: most });
    const wanted = text.toLowerCase();
    return items.find(({ name }) => name.toLowerCase().includes(wanted));
  }

  /** Arranges the pins again after the map or its photos changed. */
  arrange() {
    const { view, frame } = this.#page.map;
    const pixel = ({ latitude, longitude }) => {
      const [x, y] = pinPixelOf(view, frame, xOf(longitude), yOf(latitude));
      return { x, y };
    };
    const places = this.#known.map((place) => ({ ...place, ...pixel(place) }));
    const groups = grouped(places, this.#photosOnMap().map(pixel), this.#current);
    this.#pins.show(groups);
    this.#pins.mark(this.#current);
  }

  /** Marks the pin of the place that is open. */
  mark(id) {
    this.#current = id;
    this.arrange();
  }

  /** Animates the pin of a place, or of its spot. */
  ring(id) {
    this.#pins.ring(id);
  }

  /** An empty row for a list of places, to be filled by `fillRow`. */
  row() {
    return placeRow((id) => this.#page.go({ view: "place", id }));
  }

  /** Fills in a row. */
  fillRow(row, place) {
    fillPlaceRow(row, place, this.#page.words);
  }

  /** Marks a position that can be dragged; `onMove` receives the new position. */
  pick(position, onMove) {
    this.#mark.show(position, onMove);
  }

  /** Hides the mark. */
  drop() {
    this.#mark.hide();
  }

  /** Shows the circle `{ latitude, longitude, radius }` in which a place alerts, or none. */
  showReach(reach) {
    this.#reach = reach;
    this.#page.map.draw();
  }

  async #ask() {
    this.#request?.abort();
    this.#request = new AbortController();
    const { map } = this.#page;
    const middle = map.position;
    try {
      this.#known = await this.#nearest({
        near: nearOf(map),
        radius: reachOf(middle, map.box(60), distance),
        limit: most,
      }, { signal: this.#request.signal });
      this.arrange();
      map.draw();
    } catch (problem) {
      throwUnlessExpected(problem);
    }
  }

  // One request per selected collection, since a request can name only one.
  async #nearest(query, options) {
    const { client, store } = this.#page;
    const chosen = store.get("collections");
    const answers = await Promise.all((chosen.length > 0 ? chosen : [null]).map((collection) =>
      client.get("places", { ...query, collection }, options)));
    return nearestOf(answers.map(({ items }) => items), query.limit);
  }

  #showCollections(collections) {
    const { store } = this.#page;
    this.#filter.show(collections, store.get("collections"));
    const names = new Set(collections.map(({ name }) => name));
    const chosen = store.get("collections");
    const left = chosen.filter((name) => names.has(name));
    if (left.length < chosen.length) this.#filter.choose(left);
  }

  #open({ places }) {
    const [{ id, name }] = places;
    if (places.length === 1) return this.#page.go({ view: "place", id });
    this.#page.go({ view: "places", title: name, box: boxOf(places) });
  }

  #drawReach({ context, view, palette, pixel }) {
    if (!this.#reach) return;
    const { latitude, longitude, radius } = this.#reach;
    const [x, y] = pixel(latitude, longitude);
    const pixels = radius / metersPerPixel(view.zoom, latitude);
    if (pixels < 6 || pixels > 4000) return;
    context.beginPath();
    context.arc(x, y, pixels, 0, 2 * Math.PI);
    context.fillStyle = palette.reach;
    context.fill();
    context.strokeStyle = palette.reachLine;
    context.lineWidth = 1.5;
    context.stroke();
  }
}

function nearOf({ position: { latitude, longitude } }) {
  return `${latitude.toFixed(6)},${longitude.toFixed(6)}`;
}

const collectionsOf = (client) => client.get("collections", { limit: maximumCollections });

// The pins stay; the panel shows problems.
function throwUnlessExpected(problem) {
  if (problem.name !== "AbortError" && !(problem.status >= 0)) throw problem;
}
