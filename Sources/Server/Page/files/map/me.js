// The person's position: its mark on the map, its trail, and the browser's geolocation.

import { byId, turn } from "../dom.js";
import { pinPixelOf, xOf, yOf } from "./mercator.js";

/** Draws the mark of the position with the map. */
export function markMe(map, store) {
  const mark = byId("me");
  const [course] = mark.children;
  map.addEventListener("drawn", () => {
    const origin = store.get("origin");
    mark.hidden = !origin;
    if (!origin) return;
    const [x, y] = pinPixelOf(map.view, map.frame, xOf(origin.longitude), yOf(origin.latitude));
    mark.style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px)`;
    course.hidden = origin.course == null || map.view.zoom < 13;
    turn(course, origin.course ?? 0);
  });
}

/** Appends a position to a trail, unless it did not move. Pure. */
export function extended(trail, { latitude, longitude }) {
  const last = trail.at(-1);
  const isSame = last && last.latitude === latitude && last.longitude === longitude;
  return isSame ? trail : [...trail.slice(-1999), { latitude, longitude }];
}

/** The position of a point of a trail or track, `[latitude, longitude, time]`. Pure. */
export const positionOfPoint = ([latitude, longitude]) => ({ latitude, longitude });

const silentMilliseconds = 600_000;

/**
 * Whether a fix updates the person's position, whose last fix is `origin`. Of several devices, one
 * is followed until it has been silent for ten minutes. Pure.
 */
export function isMine(fix, origin) {
  if (!origin || origin.isBrowser === fix.isBrowser && origin.device === fix.device) return true;
  return new Date(fix.time) - new Date(origin.time) > silentMilliseconds;
}

const currentMilliseconds = 86_400_000;

/** Whether a fix, or null, is of the last day, so that it says where the person is. Pure. */
export const isCurrent = (fix, now) =>
  fix !== null && now - new Date(fix.time) < currentMilliseconds;

/** The browser's geolocation. */
export class BrowserPosition {
  #watch = null;

  /** The reason why geolocation is unavailable: `unsupported`, `insecure`, or null. */
  get obstacle() {
    if (!globalThis.isSecureContext) return "insecure";
    return navigator.geolocation ? null : "unsupported";
  }

  /** Calls `onPosition` with each position, and `onFailure` with `refused` or `none`. */
  start(onPosition, onFailure) {
    if (this.#watch !== null) return;
    this.#watch = navigator.geolocation.watchPosition(({ coords, timestamp }) => onPosition({
      isBrowser: true,
      latitude: coords.latitude,
      longitude: coords.longitude,
      horizontalAccuracy: coords.accuracy,
      course: coords.heading,
      time: new Date(timestamp).toISOString(),
    }), (error) => {
      navigator.geolocation.clearWatch(this.#watch);
      this.#watch = null;
      onFailure(error.code === 1 ? "refused" : "none");
    }, { enableHighAccuracy: true });
  }
}
