// The arithmetic of the map: Web Mercator, and the part of the world in a view. Pure.
//
// A *view* is `{ x, y, zoom }`: `x` and `y` are Mercator positions from 0 to 1 (west to east,
// north to south), and the world is 256 · 2^zoom pixels wide. A *frame* is `{ width, height,
// insets, controls }` in pixels: `insets` are covered by panels, and the view's position is the
// center of the rest. `controls` are strips inside it covered by buttons; only fitting avoids them.

// The latitude at the edge of the square Mercator map.
const maximumLatitude = 85.0511287798;
// The minimum and maximum zoom.
const minimumZoom = 0;
const maximumZoom = 20;
/** Half the size of a pin with its badge, in pixels: the distance of a fitted pin from edges. */
export const pinReach = 38;

const tileSize = 256;
const earthCircumference = 2 * Math.PI * 6_371_008.8;
const radians = Math.PI / 180;

/** Limits a number to a range. */
export const clamp = (value, least, most) => Math.min(most, Math.max(least, value));

/** The Mercator x of a longitude in degrees; −180 is 0, 180 is 1. */
export const xOf = (longitude) => (longitude + 180) / 360;

/** The Mercator y of a latitude in degrees; latitudes beyond the map lie on its edge. */
export function yOf(latitude) {
  const bounded = clamp(latitude, -maximumLatitude, maximumLatitude);
  return (1 - Math.asinh(Math.tan(bounded * radians)) / Math.PI) / 2;
}

/** The longitude of a Mercator x, in degrees; beyond ±180 where x is beyond 0…1. */
export const longitudeOf = (x) => x * 360 - 180;

/** The latitude of a Mercator y, in degrees. */
export const latitudeOf = (y) => Math.atan(Math.sinh(Math.PI * (1 - 2 * y))) / radians;

/** A longitude in −180 ..< 180. */
export const wrapped = (longitude) => ((((longitude + 180) % 360) + 360) % 360) - 180;

/** The width of the world in pixels. */
export const worldSize = (zoom) => tileSize * 2 ** zoom;

/** The metres on the ground per pixel. */
export const metersPerPixel = (zoom, latitude) =>
  (earthCircumference * Math.cos(latitude * radians)) / worldSize(zoom);

/** The pixel of the view's position: the center of the area not covered by panels. */
export function middle(frame) {
  const { left, top, right, bottom } = frame.insets;
  return [left + (frame.width - left - right) / 2, top + (frame.height - top - bottom) / 2];
}

/** The position of a view, in degrees. */
export const positionOf = (view) => ({
  latitude: latitudeOf(view.y),
  longitude: wrapped(longitudeOf(view.x)),
});

/** A view of a position, in degrees. */
export const viewAt = (latitude, longitude, zoom) => ({
  x: xOf(longitude),
  y: yOf(latitude),
  zoom,
});

/** The pixel of a Mercator position, in the copy of the world nearest to the center. */
export function pixelOf(view, frame, x, y) {
  const [middleX, middleY] = middle(frame);
  const across = x - view.x;
  const size = worldSize(view.zoom);
  return [
    middleX + (across - Math.round(across)) * size,
    middleY + (y - view.y) * size,
  ];
}

/** The Mercator position under a pixel. */
export function mercatorAt(view, frame, pixelX, pixelY) {
  const [middleX, middleY] = middle(frame);
  const size = worldSize(view.zoom);
  return [view.x + (pixelX - middleX) / size, view.y + (pixelY - middleY) / size];
}

/**
 * The box `{ south, west, north, east }` of a rectangle of pixels. It crosses the 180° meridian
 * where `west` is greater than `east`, and holds all longitudes where it is as wide as the world.
 */
export function boxOf(view, frame, left, top, right, bottom) {
  const [west, north] = mercatorAt(view, frame, left, top);
  const [east, south] = mercatorAt(view, frame, right, bottom);
  const whole = east - west >= 1;
  return {
    south: Math.max(latitudeOf(south), -90),
    west: whole ? -180 : wrapped(longitudeOf(west)),
    north: Math.min(latitudeOf(north), 90),
    east: whole ? 180 : wrapped(longitudeOf(east)),
  };
}

/** The box of the area not covered by panels, extended by a margin of pixels. */
export function uncoveredBox(view, frame, margin = 0) {
  const { left, top, right, bottom } = frame.insets;
  return boxOf(
    view, frame, left - margin, top - margin,
    frame.width - right + margin, frame.height - bottom + margin);
}

/** Whether a pixel is not covered by a panel. */
export function isUncovered(frame, pixelX, pixelY) {
  const { left, top, right, bottom } = frame.insets;
  return pixelX >= left && pixelX <= frame.width - right
    && pixelY >= top && pixelY <= frame.height - bottom;
}

/** A view within the zooms, and within the world from north to south. */
export function bounded(view) {
  return {
    x: view.x - Math.floor(view.x),
    y: clamp(view.y, 0, 1),
    zoom: clamp(view.zoom, minimumZoom, maximumZoom),
  };
}

/** A view zoomed by `steps`, with the same position under a pixel as before. */
export function zoomedAbout(view, frame, pixelX, pixelY, steps) {
  const zoom = clamp(view.zoom + steps, minimumZoom, maximumZoom);
  const [x, y] = mercatorAt(view, frame, pixelX, pixelY);
  const factor = 2 ** (view.zoom - zoom);
  return bounded({ x: x + (view.x - x) * factor, y: y + (view.y - y) * factor, zoom });
}

/** A view moved by pixels to the right and down. */
export function movedBy(view, deltaX, deltaY) {
  const size = worldSize(view.zoom);
  return bounded({ x: view.x + deltaX / size, y: view.y + deltaY / size, zoom: view.zoom });
}

/** The view in a new frame that keeps every position at its pixel. */
export function reframed(view, before, after) {
  const [middleX, middleY] = middle(after);
  const [x, y] = mercatorAt(view, before, middleX, middleY);
  return bounded({ x, y, zoom: view.zoom });
}

/**
 * The area in which pins are clear of panels and controls: left, top, right and bottom in pixels.
 */
export function clearArea(frame) {
  const side = (name) => frame.insets[name] + (frame.controls?.[name] ?? 0) + pinReach;
  return [side("left"), side("top"), frame.width - side("right"), frame.height - side("bottom")];
}

/**
 * The pixel of a pin or of the person's mark: in a copy of the world in which it is clear of panels
 * and controls, else in the copy nearest to the center.
 *
 * If the whole world is in view, a pin fitted next to the controls has a copy under them, which may
 * be nearer to the center.
 */
export function pinPixelOf(view, frame, x, y) {
  const [nearest, down] = pixelOf(view, frame, x, y);
  const [left, , right] = clearArea(frame);
  const size = worldSize(view.zoom);
  const isClear = (across) => across >= left - 1 && across <= right + 1;
  const copies = [nearest, nearest - size, nearest + size];
  return [copies.find(isClear) ?? nearest, down];
}

/**
 * The closest view in which all pins of a box are clear of panels and controls.
 *
 * If the frame is too small for that, it shows the whole box, or as much of it as the minimum zoom
 * allows.
 *
 * - `box`: `[south, west, north, east]`; it crosses the 180° meridian if west > east.
 * - `zoomLimit`: the maximum zoom, for a single place.
 */
export function fitted(box, frame, zoomLimit = 17) {
  const [south, west, north, east] = box;
  const across = (east - west + (east < west ? 360 : 0)) / 360;
  const down = yOf(south) - yOf(north);
  const [middleX, middleY] = middle(frame);
  const [left, top, right, bottom] = clearArea(frame);
  const width = Math.max(right - left, 24);
  const height = Math.max(bottom - top, 24);
  const worlds = Math.min(width / Math.max(across, 1e-12), height / Math.max(down, 1e-12));
  const zoom = clamp(Math.log2(worlds / tileSize), minimumZoom, zoomLimit);
  const size = worldSize(zoom);
  return bounded({
    x: xOf(west) + across / 2 - ((left + right) / 2 - middleX) / size,
    y: (yOf(south) + yOf(north)) / 2 - ((top + bottom) / 2 - middleY) / size,
    zoom,
  });
}

/** The view at a fraction of a flight's duration, from 0 to 1. */
export function flight(from, to, share) {
  const eased = share < 0.5 ? 4 * share ** 3 : 1 - (2 - 2 * share) ** 3 / 2;
  const across = to.x - from.x - Math.round(to.x - from.x);
  const screens = Math.hypot(across, to.y - from.y) * 2 ** Math.min(from.zoom, to.zoom) / 4;
  const rise = screens > 1.5 ? Math.min(4, Math.log2(screens)) * Math.sin(Math.PI * eased) : 0;
  return bounded({
    x: from.x + across * eased,
    y: from.y + (to.y - from.y) * eased,
    zoom: from.zoom + (to.zoom - from.zoom) * eased - rise,
  });
}
