// The address of what is seen, `#zoom/latitude/longitude/tab`, `…/spot/ID`, `…/place/ID` or
// `…/places`, so that back, reload and bookmarks work; `…/spot/ID/again`, the link in an alert,
// opens the camera there too. Reading and writing are pure; `Router` keeps the browser's history.

/** The views that have a tab. */
export const tabs = ["nearby", "alerts", "replay", "settings"];

// The views that an address names, and those that it names with an id.
const named = [...tabs, "places"];
const withId = ["spot", "place"];

// Ids of places of one's own are longer than those of spots.
const placeIdLength = 16;

/** The view of a spot or of a place of one's own, whichever an id is of. Pure. */
export const viewOf = (id) => ({ view: id.length === placeIdLength ? "place" : "spot", id });

/**
 * Reads an address: `{ key }`, or `{ zoom, latitude, longitude, place }`, or null where it is none.
 *
 * A place is `{ view }`, for a spot `{ view: "spot", id }`, with `isAgain` where the camera is to
 * open over its cover, and for a place of one's own `{ view: "place", id }`.
 */
export function readAddress(hash) {
  const key = /^#key=([^&]*)$/.exec(hash);
  if (key) return { key: decoded(key[1]) };
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

// What is no percent-encoding stands for itself.
function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/**
 * Writes an address. Its digits are as many as a fifth of a pixel needs. A cluster has no address
 * of its own: it stands under Nearby.
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

/** Keeps the address and the browser's history in step with what is seen. */
export class Router {
  #isStarted = false;

  /**
   * Calls `onVisit` with what an address names when a person goes back or forth, or edits it, and
   * `onKey` with a key that comes into it.
   */
  constructor({ onVisit, onKey }) {
    addEventListener("popstate", (event) => {
      const address = readAddress(location.hash);
      if (address?.key !== undefined) onKey(address.key);
      else if (address && this.#isStarted) {
        onVisit({ ...address, place: event.state?.place ?? address.place });
      }
    });
  }

  /** From now on moves are written to the address. */
  start() {
    this.#isStarted = true;
  }

  /** What the address named when the page was opened; a reload remembers a cluster too. */
  get opened() {
    const address = readAddress(location.hash);
    const place = history.state?.place;
    return address?.place && place ? { ...address, place } : address;
  }

  /** Takes a key out of the address. */
  forgetKey() {
    history.replaceState(null, "", location.pathname);
  }

  /** Writes where the map is. */
  moved(position, place) {
    if (this.#isStarted) history.replaceState({ place }, "", writeAddress(position, place));
  }

  /** Adds a place to the history. */
  went(position, place) {
    if (this.#isStarted) history.pushState({ place }, "", writeAddress(position, place));
  }
}
