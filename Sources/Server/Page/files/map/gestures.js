// Map gestures of fingers, mouse, wheel and keys: pan, pinch, zoom, glide.

const dragPixels = 4;
const keys = {
  ArrowLeft: { pan: [-1, 0] },
  ArrowRight: { pan: [1, 0] },
  ArrowUp: { pan: [0, -1] },
  ArrowDown: { pan: [0, 1] },
  "+": { zoom: 1 },
  "=": { zoom: 1 },
  "-": { zoom: -1 },
  _: { zoom: -1 },
};

/** Moves the map by gestures on its element. */
export function listenForGestures(map) {
  new Pointers(map);
  const { element } = map;
  element.addEventListener("wheel", (event) => {
    event.preventDefault();
    const pixels = event.deltaMode === 0 ? event.deltaY : event.deltaY * 20;
    const bounded = Math.max(-120, Math.min(120, pixels));
    map.zoomAbout(...pixelIn(element, event), -bounded * (event.ctrlKey ? 0.012 : 0.0042));
    map.touched({ isPan: false });
  }, { passive: false });
  element.addEventListener("dblclick", (event) => {
    if (event.target.closest("button")) return;
    map.flyAbout(...pixelIn(element, event), 1);
    map.touched({ isPan: false });
  });
  element.addEventListener("keydown", (event) => {
    const action = keys[event.key];
    const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey;
    if (!action || !isPlain || event.target !== element) return;
    event.preventDefault();
    const pixels = event.shiftKey ? 260 : 90;
    if (action.pan) map.panBy(action.pan[0] * pixels, action.pan[1] * pixels);
    else map.zoomBy(action.zoom);
    map.touched({ isPan: Boolean(action.pan) });
  });
}

function pixelIn(element, event) {
  const { left, top } = element.getBoundingClientRect();
  return [event.clientX - left, event.clientY - top];
}

/** One finger drags the map, which then glides; two fingers pinch. */
class Pointers {
  #map;
  #down = new Map();
  #dragged = 0;
  #trace = [];
  #swallowsClick = false;

  constructor(map) {
    this.#map = map;
    const { element } = map;
    element.addEventListener("pointerdown", (event) => this.#press(event));
    element.addEventListener("pointermove", (event) => this.#move(event));
    for (const name of ["pointerup", "pointercancel"]) {
      element.addEventListener(name, (event) => this.#release(event));
    }
    // A drag that began on a pin does not open the pin.
    element.addEventListener("click", (event) => {
      if (this.#swallowsClick) event.stopPropagation();
      this.#swallowsClick = false;
    }, true);
  }

  #press(event) {
    if (event.button > 0) return;
    this.#map.stop();
    if (this.#down.size === 0) this.#dragged = 0;
    this.#swallowsClick = false;
    this.#down.set(event.pointerId, pixelIn(this.#map.element, event));
    this.#trace = [];
  }

  #move(event) {
    const before = this.#down.get(event.pointerId);
    if (!before) return;
    const now = pixelIn(this.#map.element, event);
    if (this.#down.size === 2) this.#pinch(event.pointerId, before, now);
    else if (this.#down.size === 1) this.#drag(event, before, now);
    this.#down.set(event.pointerId, now);
  }

  #drag(event, before, now) {
    const [across, down] = [now[0] - before[0], now[1] - before[1]];
    this.#dragged += Math.hypot(across, down);
    if (this.#dragged <= dragPixels) return;
    const { element } = this.#map;
    if (!element.hasPointerCapture(event.pointerId)) element.setPointerCapture(event.pointerId);
    element.classList.add("dragging");
    this.#map.shift(-across, -down);
    this.#map.touched();
    this.#trace = [...this.#trace.slice(-4), { time: event.timeStamp, pixel: now }];
  }

  #pinch(pointer, before, now) {
    const other = [...this.#down].find(([id]) => id !== pointer)[1];
    const center = (one) => [(one[0] + other[0]) / 2, (one[1] + other[1]) / 2];
    const spread = (one) => Math.max(1, Math.hypot(one[0] - other[0], one[1] - other[1]));
    const [from, to] = [center(before), center(now)];
    this.#map.shift(from[0] - to[0], from[1] - to[1]);
    this.#map.zoomAbout(...to, Math.log2(spread(now) / spread(before)));
    this.#map.touched({ isPan: false });
    this.#dragged = Infinity;
  }

  #release(event) {
    if (!this.#down.delete(event.pointerId) || this.#down.size > 0) return;
    this.#map.element.classList.remove("dragging");
    if (this.#dragged <= dragPixels) return;
    this.#swallowsClick = event.type === "pointerup";
    const [first, last] = [this.#trace[0], this.#trace.at(-1)];
    const duration = last ? last.time - first.time : 0;
    if (duration > 0 && event.timeStamp - last.time < 60) {
      this.#map.glide(
        (first.pixel[0] - last.pixel[0]) / duration, (first.pixel[1] - last.pixel[1]) / duration);
    }
  }
}
