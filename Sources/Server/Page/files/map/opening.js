// Where the map opens: at the person, else where it was last left, else on most of the photos.

import { bounded, clamp, clearArea, middle, viewAt, worldSize, xOf, yOf } from "./mercator.js";

const name = "photospots.left";

/** The maximum zoom at which the map opens on the area with most of the photos. */
export const areaZoom = 11;
/** The zoom at which the map opens at the person. */
export const personZoom = 15;

/**
 * A position with the zoom, at most its own, at which a spot is in view and clear of panels: the
 * map never opens on an ocean. Pure.
 *
 * - `spot`: null if there is none.
 */
export function openedAround({ latitude, longitude, zoom }, spot, frame) {
  if (!spot) return { latitude, longitude, zoom };
  const view = viewAt(latitude, longitude, zoom);
  const [left, top, right, bottom] = clearArea(frame);
  const [middleX, middleY] = middle(frame);
  const east = xOf(spot.longitude) - view.x;
  const across = east - Math.round(east);
  const down = yOf(spot.latitude) - view.y;
  const rooms = [
    [across, across < 0 ? middleX - left : right - middleX],
    [down, down < 0 ? middleY - top : bottom - middleY],
  ];
  const zooms = rooms.map(([part, room]) => part === 0 ? zoom
    : Math.log2(Math.max(room, 12) / Math.abs(part) / worldSize(0)));
  return { latitude, longitude, zoom: bounded({ ...view, zoom: Math.min(zoom, ...zooms) }).zoom };
}

/** Parses a stored position; null if it is none. Pure. */
export function readLeft(text) {
  try {
    const { latitude, longitude, zoom } = JSON.parse(text);
    const isValid = [latitude, longitude, zoom].every(Number.isFinite)
      && Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180;
    return isValid ? { latitude, longitude, zoom: clamp(zoom, 0, 20) } : null;
  } catch {
    return null;
  }
}

/** The position at which the map was last left in this browser; null if there is none. */
export function lastLeft() {
  try {
    return readLeft(localStorage.getItem(name));
  } catch {
    // A browser may block storage.
    return null;
  }
}

/** Remembers the position of the map. */
export function keepLeft({ latitude, longitude, zoom }) {
  const [short, shortZoom] = [5, 2].map((digits) => (value) => Number(value.toFixed(digits)));
  const position = {
    latitude: short(latitude), longitude: short(longitude), zoom: shortZoom(zoom),
  };
  try {
    localStorage.setItem(name, JSON.stringify(position));
  } catch {
    // The map then opens on most of the photos.
  }
}
