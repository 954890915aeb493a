// Rows of lists of places.

import { arrow, element, icon, picture, setText, showPicture, turn } from "../dom.js";
import { isHere } from "../words/speech.js";

/** The cover photo of a place: the first that the index has, or undefined. Pure. */
export const coverOf = ({ photos }) => photos.find(({ id }) => id)?.id;

/**
 * The text below a place's name: kind, collections, notes, of which lists contain only the newest.
 * Pure.
 */
export function lineOf({ kind, collections, notes, noteCount = notes.length }, words) {
  return [
    words.kind(kind), collections.length > 0 && words.list(collections),
    noteCount > 0 && words.notes(noteCount),
  ].filter(Boolean).reduce((first, second) => words.say("list.two", { first, second }));
}

/** A row; `open` is called with the id of its place. */
export function placeRow(open) {
  const row = element("li", {}, element("button.row.own", {
    type: "button", onclick: () => open(row.dataset.key),
  }, element("span.sign", {}, icon("place"), picture(null, { size: 256 })),
  element("span.texts", {}, element("span.title"), element("span.soft")),
  element("span.walk", {}, arrow(0), element("span"))));
  return row;
}

/** Fills a row with a place, and its distance if it has one. */
export function fillPlaceRow(row, place, words) {
  const [image] = row.getElementsByTagName("img");
  const [title, soft] = row.querySelectorAll(".texts > span");
  const walk = row.querySelector(".walk");
  const name = place.name || words.coordinates(place);
  const cover = coverOf(place);
  image.hidden = !cover;
  if (cover) showPicture(image, cover, { size: 256 });
  setText(title, name);
  setText(soft, lineOf(place, words));
  const isFar = place.distance != null;
  walk.hidden = !isFar;
  const values = { name, kind: words.kind(place.kind) };
  if (isFar) {
    turn(walk.firstElementChild, place.bearing);
    walk.firstElementChild.toggleAttribute("hidden", isHere(place.distance));
    setText(walk.lastElementChild, words.away(place.distance));
    values.walk = words.walk(place.distance, place.bearing);
  }
  row.firstElementChild.setAttribute("aria-label",
    words.say(isFar ? "places.row" : "places.pin", values));
}
