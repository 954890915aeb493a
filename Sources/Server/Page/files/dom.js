// Creates and updates elements. Texts are never set as markup, so names of files, albums and towns
// cannot become elements.

import { pictureAddress } from "./api.js";

const svgNamespace = "http://www.w3.org/2000/svg";

/**
 * Creates an element: `element("button.main", { type: "button", onclick }, "Save")`.
 *
 * - `kind`: a tag, and classes, separated by points.
 * - `attributes`: those that begin with `on` are listeners. True gives an empty attribute; false,
 *  null and undefined are omitted, but `aria-…` attributes are written unchanged.
 * - `children`: elements or texts, also in lists; false, null and undefined are omitted.
 */
export function element(kind, attributes = {}, ...children) {
  const [tag, ...classes] = kind.split(".");
  const made = document.createElement(tag);
  if (classes.length > 0) made.className = classes.join(" ");
  for (const [name, value] of Object.entries(attributes)) setAttribute(made, name, value);
  made.append(...children.flat(Infinity).filter(isShown));
  return made;
}

function setAttribute(made, name, value) {
  if (value == null) return;
  if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
  else if (name.startsWith("aria-")) made.setAttribute(name, String(value));
  else if (name === "value") made.value = value;
  else if (value !== false) made.setAttribute(name, value === true ? "" : String(value));
}

const isShown = (child) => child != null && child !== false;

/** Returns a static element of the page by its id. */
export const byId = (id) => document.getElementById(id);

/** An icon from `icons.svg`, hidden from screen readers. */
export function icon(name, className = "") {
  const drawing = document.createElementNS(svgNamespace, "svg");
  const use = document.createElementNS(svgNamespace, "use");
  use.setAttribute("href", `icons.svg#${name}`);
  drawing.setAttribute("aria-hidden", "true");
  if (className) drawing.setAttribute("class", className);
  drawing.append(use);
  return drawing;
}

/** An arrow that points in a direction, in degrees from north. */
export function arrow(degrees) {
  const drawing = icon("arrow", "arrow");
  turn(drawing, degrees);
  return drawing;
}

/** Turns an arrow. */
export function turn(drawing, degrees) {
  drawing.style.transform = `rotate(${degrees}deg)`;
}

/**
 * The picture of a photo, or a placeholder.
 *
 * - `size`: the longer side in pixels; `isSquare`: whether it is cut to a square.
 */
export function picture(photo, { size, isSquare = true, alt = "", className, isLazy = true }) {
  const image = element("img", { alt, class: className, decoding: "async" });
  if (isLazy) image.loading = "lazy";
  image.addEventListener("error", () => {
    if (!image.src.endsWith("no-picture.svg")) image.src = "no-picture.svg";
  });
  showPicture(image, photo, { size, isSquare });
  return image;
}

/** Shows another photo in a picture. */
export function showPicture(image, photo, { size, isSquare = true }) {
  const address = photo ? pictureAddress(photo, size, isSquare) : "no-picture.svg";
  if (image.dataset.address === address) return;
  image.dataset.address = address;
  image.src = address;
}

/** Sets a text only if it changed, so that screen readers do not repeat it. */
export function setText(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

// The elements that get the focus back after a dialog, beside the focused one.
const held = new Set();
const focusable = "button, a[href], input, select, textarea, [tabindex]";

/**
 * Replaces an element's children, as `replaceChildren` does, and keeps the focus and the scroll
 * position.
 *
 * The focus stays on an element that remains. Otherwise it goes to the one with the same key: the
 * `data-key` of it or of an element around it, or its name; otherwise to the one at the same place;
 * and if nothing can have it, to the element around.
 */
export function redraw(parent, ...children) {
  const places = [...held].map((holder) => [holder, placeIn(parent, holder.element)]);
  const focus = placeIn(parent, document.activeElement);
  const { scrollTop } = parent;
  parent.replaceChildren(...children);
  for (const [holder, place] of places) if (place) holder.element = foundIn(parent, place);
  if (focus) foundIn(parent, focus)?.focus({ preventScroll: true });
  if (parent.scrollTop !== scrollTop) parent.scrollTop = scrollTop;
}

/** Remembers the focused element, to which the function that it returns gives the focus back. */
export function heldFocus() {
  const holder = { element: document.activeElement };
  held.add(holder);
  return () => {
    held.delete(holder);
    const { element: one } = holder;
    const isThere = one?.isConnected && one !== document.body;
    (isThere ? one : byId("view")).focus({ preventScroll: true });
  };
}

// Where an element is below another one; null if it is not.
function placeIn(parent, one) {
  if (!one || one === parent || !parent.contains(one)) return null;
  const all = [...parent.querySelectorAll(focusable)];
  const key = keyOf(one, parent);
  const alike = all.filter((other) => keyOf(other, parent) === key);
  return { one, key, nth: alike.indexOf(one), index: all.indexOf(one) };
}

function foundIn(parent, { one, key, nth, index }) {
  if (parent.contains(one)) return one;
  const all = [...parent.querySelectorAll(focusable)].filter((other) => !other.disabled);
  const alike = all.filter((other) => keyOf(other, parent) === key);
  return alike[nth] ?? alike[0] ?? all[Math.min(index, all.length - 1)]
    ?? parent.closest("[tabindex]");
}

// Names may change, and keys do not.
function keyOf(one, parent) {
  const keyed = one.closest("[data-key]");
  if (!keyed || keyed === parent || !parent.contains(keyed)) {
    return `${one.tagName} ${one.type} ${one.getAttribute("aria-label") ?? one.textContent}`;
  }
  const parts = [keyed, ...keyed.querySelectorAll(focusable)];
  return `${keyed.dataset.key} ${parts.indexOf(one)}`;
}

/**
 * Updates a list's children to match `items`. Elements of remaining items are reused, which keeps
 * the focus and the scroll position. If the focused element is removed, the one in its place gets
 * the focus.
 *
 * - `key`: an item's identity; `create`: makes its element; `update`: fills an element in.
 */
export function reconcile(list, items, { key, create, update }) {
  const focused = list.contains(document.activeElement) ? document.activeElement : null;
  const place = focused ? [...list.children].findIndex((child) => child.contains(focused)) : -1;
  const before = new Map([...list.children].map((child) => [child.dataset.key, child]));
  const after = items.map((item) => {
    const child = before.get(key(item)) ?? create(item);
    child.dataset.key = key(item);
    update?.(child, item);
    return child;
  });
  const staying = new Set(after);
  for (const child of [...list.children]) if (!staying.has(child)) child.remove();
  after.forEach((child, index) => {
    if (list.children[index] !== child) list.insertBefore(child, list.children[index] ?? null);
  });
  if (!focused || document.activeElement === focused) return;
  const next = focused.isConnected ? focused
    : firstButton(list.children[Math.min(place, list.children.length - 1)]);
  (next ?? list.closest("[tabindex]"))?.focus({ preventScroll: true });
}

const firstButton = (child) => child?.matches("button") ? child : child?.querySelector("button");

/** Sets the texts of the elements in `index.html` that name them in `data-…` attributes. */
export function speak(words, root = document) {
  for (const node of root.querySelectorAll("[data-text]")) {
    node.textContent = words.say(node.dataset.text);
  }
  for (const [name, attribute] of [
    ["label", "aria-label"], ["kind", "aria-roledescription"], ["hint", "placeholder"],
    ["title", "title"],
  ]) {
    for (const node of root.querySelectorAll(`[data-${name}]`)) {
      node.setAttribute(attribute, words.say(node.dataset[name]));
    }
  }
}
