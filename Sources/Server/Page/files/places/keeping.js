// The gestures that add a place on the map: a long press, the context menu, and Enter and the menu
// key, which use the center.

import { latitudeOf, longitudeOf, mercatorAt, wrapped } from "../map/mercator.js";

const pressMilliseconds = 550;
const stillPixels = 8;
// Some browsers open a context menu on a long press, and after the menu key's event.
const onceMilliseconds = 1500;

/** The position under a pixel of the map's element. Pure. */
export function positionUnder({ view, frame }, x, y) {
  const [across, down] = mercatorAt(view, frame, x, y);
  return { latitude: latitudeOf(down), longitude: wrapped(longitudeOf(across)) };
}

/** Calls `onKeep` with the position of such a gesture. */
export function listenForKeeping(map, onKeep) {
  const { element } = map;
  let pressing = 0;
  let from = null;
  let last = -Infinity;

  function keep(position, time) {
    clearTimeout(pressing);
    if (time - last < onceMilliseconds) return;
    last = time;
    const { latitude, longitude } = position;
    onKeep({ latitude, longitude });
  }

  function under({ clientX, clientY }) {
    const { left, top } = element.getBoundingClientRect();
    return positionUnder(map, clientX - left, clientY - top);
  }

  const isOnMap = ({ target }) => !target.closest("button, .choosing");

  element.addEventListener("contextmenu", (event) => {
    if (!isOnMap(event)) return;
    event.preventDefault();
    keep(under(event), event.timeStamp);
  });
  element.addEventListener("keydown", (event) => {
    const isMenu = event.key === "ContextMenu" || event.key === "F10" && event.shiftKey;
    if (event.target !== element || !(isMenu || event.key === "Enter")) return;
    event.preventDefault();
    keep(map.position, event.timeStamp);
  });
  element.addEventListener("pointerdown", (event) => {
    clearTimeout(pressing);
    if (event.pointerType === "mouse" || !event.isPrimary || !isOnMap(event)) return;
    from = event;
    pressing = setTimeout(
      () => keep(under(from), from.timeStamp + pressMilliseconds), pressMilliseconds);
  });
  element.addEventListener("pointermove", (event) => {
    const isStill = from && Math.hypot(event.clientX - from.clientX, event.clientY - from.clientY)
      <= stillPixels;
    if (!isStill) clearTimeout(pressing);
  });
  for (const name of ["pointerup", "pointercancel"]) {
    element.addEventListener(name, () => clearTimeout(pressing));
  }
}
