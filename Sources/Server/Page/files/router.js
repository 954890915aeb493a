// The address of the current view, `#zoom/latitude/longitude/tab`, `…/spot/ID`, `…/place/ID` or
// `…/places`, so that back, reload and bookmarks work. `…/spot/ID/again`, the link in an alert,
// also opens the camera. Reading and writing are pure; `Router` manages the browser's history.

/** The views that have a tab. */
export const tabs = ["nearby", "alerts", "replay", "settings"];

// The views in addresses, and those with an id.
const named = [...tabs, "places"];
const withId = ["spot", "place"];

// The ids of own places are longer than those of spots.
const placeIdLength = 16;

/** The view of a spot or of an own place, whichever has the id. Pure. */
export const viewOf = (id) => ({ view: id.length === placeIdLength ? "place" : "spot", id });

/**
 * Parses an address: `{ key }` for a key or a code, with `isPhone` for the code of a phone; or
 * `{ zoom, latitude, longitude, place }`; or null if invalid.
 *
 * A place is `{ view }`; for a spot `{ view: "spot", id }`, with `isAgain` if the camera opens over
 * its cover; and for an own place `{ view: "place", id }`.
 */
export function readAddress(hash) {
  const key = /^#(?:key|pair)=([^&]*)(&phone)?$/.exec(hash);
  if (key) return { key: decoded(key[1]), ...(key[2] && { isPhone: true }) };
  const number = String.raw`(-?\d+(?:\.\d+)?)`;
  const tail = String.raw`(?:/([^/]*)(?:/([^/]*)(/again)?)?)?`;
  const match = new RegExp(`^#${number}/${number}/${number}${tail}$`).exec(hash);
  if (!match) return null;
  const [zoom, latitude, longitude] = match.slice(1, 4).map(Number);
  if (zoom < 0 || Math.abs(latitude) > 90 || Math.abs(longitude) > 180) return null;
  const [view, id] = [match[4], match[5]];
  const place = withId.includes(view) && id
    ? { view, id: decoded(id), ...(match[6] && view === "spot" && { isAgain: true }) }
    : { view: named.includes(view) ? view : "nearby" };
  return { zoom, latitude, longitude, place };
}

// Invalid percent-encoding is taken literally.
function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/**
 * Formats an address, with a precision of a fifth of a pixel. A cluster has no address of its own:
 * it has that of Nearby.
 */
export function writeAddress({ zoom, latitude, longitude }, place) {
  const digits = Math.max(2, Math.ceil(Math.log10(2 ** zoom / 0.28)));
  const short = (value, most) => String(Number(value.toFixed(most)));
  const view = withId.includes(place.view) ? `${place.view}/${encodeURIComponent(place.id)}`
    : named.includes(place.view) ? place.view : "nearby";
  return `#${short(zoom, 4)}/${short(latitude, digits)}/${short(longitude, digits)}/${view}`;
}

/**
 * The place of an item of `clusters`, as the history keeps it. Pure.
 *
 * - `zoom` and `filters`: those by which the item was made.
 */
export function clusterPlace(item, title, { zoom, filters }) {
  const { box, latitude, longitude } = item;
  return { view: "cluster", title, box, zoom, filters, pin: { latitude, longitude } };
}

/**
 * Synchronizes the address and the browser's history with the view.
 *
 * An entry has the `place`, the `page` (a number that entries of one place share) and the `layer`:
 * how many dialogs lie on top, each of which has an entry of its own.
 */
export class Router {
  #isStarted = false;
  #page;
  #history;
  #location;

  /**
   * Calls `onVisit` with the parsed address when a person goes back or forward, or edits it,
   * `onLayer` with the number of dialogs of the entry and whether it has the same place, and
   * `onKey` with a key in the address, and whether it is the code of a phone.
   */
  constructor({
    onVisit, onLayer, onKey, history = globalThis.history, location = globalThis.location,
    events = globalThis,
  }) {
    this.#history = history;
    this.#location = location;
    this.#page = history.state?.page ?? newPage();
    events.addEventListener("popstate", ({ state }) => {
      const address = readAddress(location.hash);
      if (address?.key !== undefined) return onKey(address.key, address.isPhone);
      // Of the same place, only a dialog was closed.
      const isSame = state?.page === this.#page;
      onLayer(state?.layer ?? 0, isSame);
      if (!address || !this.#isStarted || isSame) return;
      this.#page = state?.page ?? newPage();
      if (!state?.page) history.replaceState({ ...state, page: this.#page }, "");
      onVisit({ ...address, place: state?.place ?? address.place });
    });
  }

  /** Starts to write movements to the address. */
  start() {
    this.#isStarted = true;
    // A reload closes the dialogs.
    this.lower(this.layer);
  }

  /** The address with which the page was opened; a reload also restores a cluster. */
  get opened() {
    const address = readAddress(this.#location.hash);
    const place = this.#history.state?.place;
    return address?.place && place ? { ...address, place } : address;
  }

  /** The number of dialogs of the current entry. */
  get layer() {
    return this.#history.state?.layer ?? 0;
  }

  /** Removes a key from the address. */
  forgetKey() {
    this.#history.replaceState(null, "", this.#location.pathname);
  }

  /** Updates the position of the map in the address. */
  moved(position, place) {
    if (!this.#isStarted) return;
    const state = { place, page: this.#page, ...(this.layer > 0 && { layer: this.layer }) };
    this.#history.replaceState(state, "", writeAddress(position, place));
  }

  /** Adds a place to the history. */
  went(position, place) {
    if (!this.#isStarted) return;
    this.#page = newPage();
    this.#history.pushState({ place, page: this.#page }, "", writeAddress(position, place));
  }

  /** Adds an entry for a dialog. */
  raise() {
    this.#history.pushState({ ...this.#history.state, layer: this.layer + 1 }, "");
  }

  /** Goes back over the entries of a number of dialogs. */
  lower(count) {
    if (count > 0) this.#history.go(-count);
  }
}

// A number that no other entry has, also after a reload.
const newPage = () => Date.now() + Math.random();
