// The positions of places' pins, and their grouping. Pure.
//
// A pin of a place is a drop with its tip at its position. It is above the photos, but does not
// cover them: it is lifted to their upper edge instead.

/** The width and height of a place's pin in pixels. */
export const [pinWidth, pinHeight] = [44, 50];

const photoReach = 26;
// The edge of a photo's pin on which a place's pin stands, and the maximum lift.
const photoTop = 28;
const maximumLift = 96;
const everywhereMeters = 2e7;

/** The lift in pixels of a pin at `(x, y)` so that it covers none of the photos `{ x, y }`. */
export function liftOf({ x, y }, photos) {
  const across = photoReach + pinWidth / 2 - 4;
  const beside = photos.filter((photo) => Math.abs(photo.x - x) < across);
  let lift = 0;
  for (;;) {
    const [tip, top] = [y - lift, y - lift - pinHeight];
    const covered = beside.find((photo) =>
      top < photo.y + photoReach && tip > photo.y - photoTop + 0.5);
    if (!covered) return lift;
    lift = y - covered.y + photoTop;
    // Too far from its position it would be misleading.
    if (lift > maximumLift) return 0;
  }
}

/**
 * Groups places into pins that do not overlap: `[{ places, latitude, longitude, lift }]`, each at
 * the position of its first place.
 *
 * - `places`: places with their pixel, `x` and `y`; `photos`: the pixels of the photos' pins;
 *  `current`: the id of the open place, which is never hidden in a group.
 * - Complexity: O(n · m) for n places in m pins.
 */
export function grouped(places, photos, current = null) {
  const rank = ({ id }) => (id === current ? "" : id);
  // In a fixed order, so that pins stay the same while the map moves.
  const ordered = [...places].sort((a, b) => (rank(a) < rank(b) ? -1 : 1));
  const groups = [];
  for (const { x, y, ...place } of ordered) {
    const lift = liftOf({ x, y }, photos);
    const top = y - lift;
    const group = groups.find((one) =>
      Math.abs(one.x - x) < pinWidth && Math.abs(one.top - top) < pinHeight);
    if (group) group.places.push(place);
    else groups.push({ x, top, lift, places: [place], ...positionOf(place) });
  }
  return groups.map(({ x, top, ...group }) => group);
}

const positionOf = ({ latitude, longitude }) => ({ latitude, longitude });

/** The box `[south, west, north, east]` of places; it may cross the 180° meridian. */
export function boxOf(places) {
  const latitudes = places.map(({ latitude }) => latitude).sort((a, b) => a - b);
  const longitudes = places.map(({ longitude }) => longitude).sort((a, b) => a - b);
  // The box begins east of the widest gap between neighbors.
  let [west, widest] = [0, -1];
  longitudes.forEach((longitude, index) => {
    const before = index > 0 ? longitudes[index - 1] : longitudes.at(-1) - 360;
    if (longitude - before > widest) [west, widest] = [index, longitude - before];
  });
  return [
    latitudes[0], longitudes[west], latitudes.at(-1), longitudes.at(west - 1),
  ];
}

/**
 * The radius in metres of a circle around the center of a view that contains its box, or null if
 * that is nearly the whole Earth. `distance` measures metres.
 */
export function reachOf(middle, { south, west, north, east }, distance) {
  const span = east - west + (east < west ? 360 : 0);
  if (span > 170) return null;
  const corners = [south, middle.latitude, north].flatMap((latitude) =>
    [west, middle.longitude, east].map((longitude) => ({ latitude, longitude })));
  const meters = Math.max(...corners.map((corner) => distance(middle, corner)));
  return meters > everywhereMeters / 2 ? null : Math.ceil(meters);
}

/** Merges lists of places without duplicates, nearest first, at most `limit`. */
export function nearestOf(lists, limit) {
  const places = new Map(lists.flat().map((place) => [place.id, place]));
  return [...places.values()].sort((a, b) => a.distance - b.distance).slice(0, limit);
}

/** The chosen collections with one added, or removed if it was among them. */
export const toggled = (chosen, name) => chosen.includes(name)
  ? chosen.filter((one) => one !== name) : [...chosen, name].sort();
