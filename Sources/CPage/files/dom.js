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
  next?.focus({ preventScroll: true });
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
