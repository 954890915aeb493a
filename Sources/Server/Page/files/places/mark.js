// The mark of a position being chosen: a pin that can be dragged. With the keyboard a person moves
// the map instead, and sets the mark to its center.

import { element, icon } from "../dom.js";
import { pinPixelOf, xOf, yOf } from "../map/mercator.js";
import { positionUnder } from "./keeping.js";

/** The mark of a map. */
export class Mark {
  #map;
  #mark;
  #position = null;
  #onMove = null;
  #grip = null;

  /** Creates a hidden mark, to be shown above the pins of `pane`. */
  constructor(map, pane) {
    this.#map = map;
    this.#mark = element("div.pin.place.choosing", { "aria-hidden": true, hidden: true },
      element("span.face", {}, icon("place")));
    pane.after(this.#mark);
    map.addEventListener("drawn", () => this.#place());
    this.#mark.addEventListener("pointerdown", (event) => this.#press(event));
    this.#mark.addEventListener("pointermove", (event) => this.#drag(event));
    for (const name of ["pointerup", "pointercancel"]) {
      this.#mark.addEventListener(name, (event) => this.#release(event));
    }
  }

  /** Shows the mark at a position; `onMove` receives the position after a drag. */
  show(position, onMove) {
    this.#position = position;
    this.#onMove = onMove;
    this.#mark.hidden = false;
    this.#place();
  }

  /** Hides the mark. */
  hide() {
    this.#mark.hidden = true;
    this.#grip = null;
  }

  #place() {
    if (this.#mark.hidden) return;
    const { latitude, longitude } = this.#position;
    const { view, frame } = this.#map;
    const [x, y] = pinPixelOf(view, frame, xOf(longitude), yOf(latitude));
    this.#mark.style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px)`;
  }

  // The map does not move meanwhile.
  #press(event) {
    event.stopPropagation();
    if (event.button > 0) return;
    event.preventDefault();
    const { view, frame } = this.#map;
    const [x, y] = pinPixelOf(
      view, frame, xOf(this.#position.longitude), yOf(this.#position.latitude));
    this.#grip = { across: x - event.clientX, down: y - event.clientY };
    this.#mark.setPointerCapture(event.pointerId);
  }

  #drag(event) {
    if (!this.#grip) return;
    event.stopPropagation();
    const { across, down } = this.#grip;
    this.#position = positionUnder(this.#map, event.clientX + across, event.clientY + down);
    this.#place();
  }

  #release(event) {
    if (!this.#grip) return;
    event.stopPropagation();
    this.#grip = null;
    this.#onMove?.(this.#position);
  }
}
