// The map on the page: its view, its movement, and its drawing. The content is drawn by layers; the
// pins are above the canvas.

import { listenForGestures } from "./gestures.js";
import {
  bounded, clearArea, fitted, flight, movedBy, positionOf, reframed,
  uncoveredBox, viewAt, zoomedAbout,
} from "./mercator.js";
import { sceneOf } from "./drawing.js";

const noInsets = { left: 0, top: 0, right: 0, bottom: 0 };

/**
 * The map. Its events: `moved` when it comes to rest, `drawn` after each frame, `touched` when a
 * person moved it by hand, and then also `panned` unless it was zoomed.
 */
export class PhotoMap extends EventTarget {
  #context = null;
  #canvas;
  #goal = null;
  #motion = 0;
  #drawing = 0;
  #resting = 0;
  #layers = [];
  #isBegun = false;
  #reducedMotion = matchMedia("(prefers-reduced-motion: reduce)");

  /** Creates a map in an element that holds a canvas. */
  constructor(element) {
    super();
    this.element = element;
    this.view = viewAt(45, 0, 2);
    this.frame = { width: 1, height: 1, insets: noInsets, controls: noInsets };
    this.palette = null;
    this.#canvas = element.querySelector("canvas");
    this.#resize();
    new ResizeObserver(() => this.#resize()).observe(element);
    listenForGestures(this);
  }

  /** The center of the area not covered by panels: `{ latitude, longitude, zoom }`. */
  get position() {
    return { ...positionOf(this.view), zoom: this.view.zoom };
  }

  /** The box of the area not covered by panels, extended by a margin in pixels. */
  box(margin = 0) {
    return uncoveredBox(this.view, this.frame, margin);
  }

  /** Whether it is moving. */
  get isMoving() {
    return this.#motion !== 0;
  }

  /** Adds a layer: a function of a scene; later ones lie above earlier ones. */
  add(...layers) {
    this.#layers.push(...layers);
  }

  /** Sets the areas covered by panels and controls; nothing on the screen moves. */
  cover(insets, controls) {
    const frame = { ...this.frame, insets, controls };
    const isSame = JSON.stringify(frame) === JSON.stringify(this.frame);
    if (isSame) return;
    if (!this.isMoving) this.view = reframed(this.view, this.frame, frame);
    this.frame = frame;
    this.draw();
    this.#restSoon();
  }

  /** Shows a position immediately. */
  show({ latitude, longitude, zoom = this.view.zoom }) {
    this.stop();
    this.#set(viewAt(latitude, longitude, zoom));
    this.#rest();
  }

  /** Moves to a position. */
  fly({ latitude, longitude, zoom = this.view.zoom }) {
    this.#flyTo(bounded(viewAt(latitude, longitude, zoom)), 650);
  }

  /** The view of a box `[south, west, north, east]` clear of panels and controls. */
  viewFor(box, zoomLimit) {
    return fitted(box, this.frame, zoomLimit);
  }

  /** Moves to a box, or shows it immediately. */
  fit(box, { zoomLimit = 17, isAtOnce = false } = {}) {
    const view = this.viewFor(box, zoomLimit);
    if (!isAtOnce) return this.#flyTo(view, 650);
    this.stop();
    this.#set(view);
    this.#rest();
  }

  /** Zooms about the center. */
  zoomBy(steps) {
    const { x, y, zoom } = this.#goal ?? this.view;
    this.#flyTo(bounded({ x, y, zoom: zoom + steps }), 220);
  }

  /** Pans by pixels. */
  panBy(across, down) {
    this.#flyTo(movedBy(this.#goal ?? this.view, across, down), 200);
  }

  /** Pans just enough for a pin at a pixel to be clear of panels and controls. */
  reveal(x, y) {
    const [left, top, right, bottom] = clearArea(this.frame);
    const across = Math.min(0, x - left) || Math.max(0, x - right);
    const down = Math.min(0, y - top) || Math.max(0, y - bottom);
    if (across !== 0 || down !== 0) this.panBy(across, down);
  }

  /** Zooms about a pixel, smoothly. */
  flyAbout(x, y, steps) {
    this.#flyTo(zoomedAbout(this.view, this.frame, x, y, steps), 260);
  }

  /** Zooms about a pixel during a gesture. */
  zoomAbout(x, y, steps) {
    this.stop();
    this.#set(zoomedAbout(this.view, this.frame, x, y, steps));
    this.#restSoon();
  }

  /** Moves by pixels during a gesture. */
  shift(across, down) {
    this.#set(movedBy(this.view, across, down));
    this.#restSoon();
  }

  /** Glides with decreasing speed; velocities in pixels per millisecond. */
  glide(across, down) {
    if (this.#reducedMotion.matches || Math.hypot(across, down) < 0.15) return;
    let before = performance.now();
    this.#animate((now) => {
      const passed = Math.min(40, Math.max(0, now - before));
      before = now;
      const left = 0.94 ** (passed / 16);
      [across, down] = [across * left, down * left];
      this.#set(movedBy(this.view, across * passed, down * passed));
      return Math.hypot(across, down) > 0.02;
    });
  }

  /** Stops the movement. */
  stop() {
    cancelAnimationFrame(this.#motion);
    this.#motion = 0;
    this.#goal = null;
  }

  /** Reports that a person moved it by hand. */
  touched({ isPan = true } = {}) {
    this.dispatchEvent(new Event("touched"));
    if (isPan) this.dispatchEvent(new Event("panned"));
  }

  /** Starts drawing. Before the view is known, frames would only cost time. */
  begin() {
    this.#isBegun = true;
    this.draw();
  }

  /** Requests a new frame. */
  draw() {
    if (this.#drawing || !this.#isBegun) return;
    this.#drawing = requestAnimationFrame(() => {
      this.#drawing = 0;
      this.#context ??= this.#canvas.getContext("2d", { alpha: false });
      const scale = this.#canvas.width / this.frame.width;
      this.#context.setTransform(scale, 0, 0, scale, 0, 0);
      const scene = sceneOf(this.#context, this.view, this.frame, this.palette);
      for (const layer of this.#layers) {
        this.#context.save();
        layer(scene);
        this.#context.restore();
      }
      this.dispatchEvent(new Event("drawn"));
    });
  }

  #set(view) {
    this.view = bounded(view);
    this.draw();
  }

  #flyTo(view, milliseconds) {
    this.stop();
    if (this.#reducedMotion.matches || document.hidden) {
      this.#set(view);
      return this.#rest();
    }
    const from = this.view;
    this.#goal = view;
    const start = performance.now();
    this.#animate((now) => {
      const share = Math.min(1, Math.max(0, (now - start) / milliseconds));
      this.#set(share < 1 ? flight(from, view, share) : view);
      return share < 1;
    });
  }

  #animate(step) {
    const next = (now) => {
      if (step(now)) {
        this.#motion = requestAnimationFrame(next);
      } else {
        this.stop();
        this.#rest();
      }
    };
    this.#motion = requestAnimationFrame(next);
  }

  #rest() {
    clearTimeout(this.#resting);
    this.dispatchEvent(new Event("moved"));
  }

  #restSoon() {
    clearTimeout(this.#resting);
    this.#resting = setTimeout(() => this.#rest(), 120);
  }

  #resize() {
    const { width, height } = this.element.getBoundingClientRect();
    const density = Math.min(3, devicePixelRatio || 1);
    this.frame = { ...this.frame, width: Math.max(1, width), height: Math.max(1, height) };
    this.#canvas.width = Math.max(1, Math.round(width * density));
    this.#canvas.height = Math.max(1, Math.round(height * density));
    this.draw();
    this.#restSoon();
  }
}
