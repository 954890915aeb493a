// The panel on a phone: a bottom sheet with three heights. On wide screens it is beside the map,
// and this does nothing.

import { byId } from "../dom.js";

// The heights as fractions of the window.
const stops = [0.2, 0.5, 0.88];

/** The stop that a height is nearest to. Pure. */
export function nearestStop(share) {
  const away = (stop) => Math.abs(stop - share);
  return stops.reduce((best, stop, index) => (away(stop) < away(stops[best]) ? index : best), 0);
}

/** The next stop when the grip is pressed: up, and from the top to the middle. Pure. */
export const nextStop = (stop) => (stop === stops.length - 1 ? 1 : stop + 1);

const phone = globalThis.matchMedia?.("(max-width: 760px)");

/** The sheet. */
export class Sheet {
  #panel = byId("panel");
  #grip = byId("grip");
  #words;
  #onChange;
  #stop = 1;
  #drag = null;
  #wasDragged = false;

  /** Creates the sheet at half height; `onChange` is called when its height changes. */
  constructor({ words, onChange }) {
    this.#words = words;
    this.#grip.addEventListener("pointerdown", (event) => {
      this.#drag = { from: event.clientY, height: this.#panel.offsetHeight, isMoved: false };
      this.#grip.setPointerCapture(event.pointerId);
    });
    this.#grip.addEventListener("pointermove", (event) => this.#move(event.clientY));
    this.#grip.addEventListener("pointerup", () => this.#drop());
    this.#grip.addEventListener("pointercancel", () => this.#drop());
    // A click at the end of a drag is ignored; Enter on the keyboard is a click too.
    this.#grip.addEventListener("click", (event) => {
      if (event.detail === 0 || !this.#wasDragged) this.stand(nextStop(this.#stop));
      this.#wasDragged = false;
    });
    phone.addEventListener("change", () => this.stand(1));
    this.stand(1);
    this.#onChange = onChange;
  }

  /** Whether the panel is a sheet. */
  get isOn() {
    return phone.matches;
  }

  /** The height of the sheet in pixels. */
  get height() {
    return Math.round(stops[this.#stop] * innerHeight);
  }

  /** Moves the sheet to a stop. */
  stand(stop) {
    this.#stop = stop;
    const isTop = stop === stops.length - 1;
    this.#show(`${stops[stop] * 100}dvh`);
    document.documentElement.dataset.sheet = ["low", "half", "full"][stop];
    this.#grip.setAttribute("aria-expanded", String(isTop));
    this.#grip.setAttribute("aria-label", this.#words.say(isTop ? "sheet.less" : "sheet.more"));
    this.#onChange?.();
  }

  /** Raises the sheet so that a list can be read. */
  raise() {
    if (this.#stop === 0) this.stand(1);
  }

  #show(height) {
    document.documentElement.style.setProperty("--sheet", height);
  }

  #move(y) {
    if (!this.#drag) return;
    const { from, height } = this.#drag;
    if (Math.abs(y - from) < 5 && !this.#drag.isMoved) return;
    this.#drag.isMoved = true;
    this.#panel.classList.add("moving");
    this.#show(`${Math.max(90, Math.min(innerHeight * 0.9, height + from - y))}px`);
  }

  #drop() {
    if (!this.#drag) return;
    this.#wasDragged = this.#drag.isMoved;
    this.#drag = null;
    this.#panel.classList.remove("moving");
    if (this.#wasDragged) this.stand(nearestStop(this.#panel.offsetHeight / innerHeight));
  }
}
