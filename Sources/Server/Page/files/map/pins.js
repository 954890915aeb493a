// The pins on the map: a button for each item. One of them is in the tab order; arrow keys move to
// the nearest in a direction. Their look is a parameter: photos here, own places in places/pins.js.

import { element, picture, reconcile } from "../dom.js";
import { nearestThatWay } from "./directions.js";
import { isUncovered, pinPixelOf, xOf, yOf } from "./mercator.js";

/**
 * The look of spots and clusters: their cover, and how many photos they count.
 *
 * A look has the class of a pin (`kind`), an item's identity (`keyOf`), its accessible name
 * (`nameOf`), its content (`faceOf`, and `partsOf` behind it), the number on its badge (`badgeOf`,
 * null for none), whether it represents an id (`isOf`), and its extent around its position in
 * pixels (`reach`: left, top, right, bottom).
 */
export const photoLook = ({ say, place, photos, spots, badge }) => ({
  kind: "button.pin",
  keyOf,
  nameOf: (item) => say(item.spots > 1 ? "pin.many" : "pin.one", {
    place: place(item), photos: photos(item.photos), spots: spots(item.spots),
  }),
  faceOf: (item) => picture(item.cover, { size: 128, isLazy: false }),
  badgeOf: (item) => (item.photos > 1 ? badge(item.photos) : null),
  isOf: (item, spot) => item.spot === spot,
  reach: [-30, -34, 38, 30],
});

/** The pins of a map. */
export class Pins {
  #map;
  #look;
  #onOpen;
  #pane;
  #pins = new Map();
  #current = null;

  /**
   * Creates the pins in an element; `onOpen` is called with the item whose pin is pressed.
   *
   * An item has a `latitude` and a `longitude`, and optionally a `lift`: the height in pixels of
   * its pin above its position.
   */
  constructor(map, pane, { look, onOpen }) {
    this.#map = map;
    this.#pane = pane;
    this.#look = look;
    this.#onOpen = onOpen;
    map.addEventListener("drawn", () => this.#place());
    pane.addEventListener("keydown", (event) => this.#key(event));
    pane.addEventListener("focusin", (event) => this.#focused(event.target));
  }

  /** Replaces the items. */
  show(items) {
    const { keyOf } = this.#look;
    const hadFocus = this.#pane.contains(document.activeElement);
    reconcile(this.#pane, items, {
      key: keyOf,
      create: (item) => this.#create(item),
      update: (button, item) => this.#update(button, item),
    });
    this.#pins = new Map(items.map((item, index) => [keyOf(item), {
      item, button: this.#pane.children[index], mercator: [xOf(item.longitude), yOf(item.latitude)],
    }]));
    this.#place();
    if (hadFocus && !this.#pane.contains(document.activeElement)) {
      const next = this.#seen().find(({ button }) => button.tabIndex === 0)?.button;
      (next ?? this.#map.element).focus({ preventScroll: true });
    }
  }

  /** Marks the pin of the open spot or place. */
  mark(id) {
    this.#current = id;
    for (const { item, button } of this.#pins.values()) this.#update(button, item);
  }

  /** Animates the pin of a spot that alerts. */
  ring(spot) {
    const pin = [...this.#pins.values()].find(({ item }) => this.#look.isOf(item, spot));
    if (!pin) return;
    pin.button.classList.add("rings");
    pin.button.addEventListener("animationend", () => pin.button.classList.remove("rings"), {
      once: true,
    });
  }

  /** The items whose pins are not covered by panels. */
  get inView() {
    return this.#seen().map(({ item }) => item);
  }

  /** The boxes of the pins in pixels: `[left, top, right, bottom]`. */
  get boxes() {
    const [left, top, right, bottom] = this.#look.reach;
    return this.#seen().map(({ item: { lift = 0 }, pixel: [x, y] }) =>
      [x + left, y + top - lift, x + right, y + bottom - lift]);
  }

  #create(item) {
    const { kind, nameOf, faceOf, badgeOf, partsOf = () => null } = this.#look;
    const badge = badgeOf(item);
    const button = element(kind, {
      type: "button",
      tabindex: -1,
      "aria-label": nameOf(item),
      onclick: () => this.#onOpen(this.#pins.get(button.dataset.key).item),
    }, partsOf(item), element("span.face", {}, faceOf(item)),
    badge && element("span.badge", { "aria-hidden": true }, badge));
    return button;
  }

  #update(button, item) {
    const isCurrent = this.#current != null && this.#look.isOf(item, this.#current);
    if (isCurrent) button.setAttribute("aria-current", "true");
    else button.removeAttribute("aria-current");
  }

  #place() {
    const { view, frame } = this.#map;
    for (const pin of this.#pins.values()) {
      pin.pixel = pinPixelOf(view, frame, ...pin.mercator);
      const [x, y] = pin.pixel;
      const top = y - (pin.item.lift ?? 0);
      pin.button.style.transform = `translate(${x.toFixed(1)}px, ${top.toFixed(1)}px)`;
      pin.isSeen = isUncovered(frame, x, y);
      pin.button.classList.toggle("covered", !pin.isSeen);
    }
    const seen = this.#seen();
    if (!seen.some(({ button }) => button.tabIndex === 0)) this.#letTab(seen[0]?.button);
  }

  #seen() {
    return [...this.#pins.values()].filter((pin) => pin.isSeen);
  }

  #letTab(button) {
    for (const pin of this.#pins.values()) pin.button.tabIndex = pin.button === button ? 0 : -1;
  }

  // Moves the map so that a pin focused by the keyboard is not under the controls.
  #focused(button) {
    this.#letTab(button);
    const pin = [...this.#pins.values()].find((one) => one.button === button);
    if (pin && button.matches(":focus-visible")) this.#map.reveal(...pin.pixel);
  }

  #key(event) {
    if (event.key === "Escape") return this.#map.element.focus({ preventScroll: true });
    if (!event.key.startsWith("Arrow")) return;
    event.preventDefault();
    event.stopPropagation();
    const points = this.#seen().map(({ button, pixel: [x, y] }) => ({ button, x, y }));
    const from = points.find(({ button }) => button === event.target);
    const next = from && nearestThatWay(points, from, event.key);
    next?.button.focus({ preventScroll: true });
  }
}

// A spot keeps its pin at all zooms; a cluster with other members gets a new one.
const keyOf = (item) => item.spot && item.spots === 1
  ? `${item.spot}/${item.photos}/${item.cover}`
  : [item.cover, item.photos, item.spots, item.latitude.toFixed(4)].join("/");
