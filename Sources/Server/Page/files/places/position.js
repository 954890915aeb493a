// Moving a place: its mark is dragged or set to the map's center, then saved.

import { element, setText } from "../dom.js";
import { button } from "../views/parts.js";

/**
 * A field for a position: `{ node, show, close }`. `show(position)` marks it on the map; `onMove`
 * receives each position.
 */
export function positionPart(page, onMove) {
  const { words, map } = page;
  const { say } = words;
  const text = element("p.soft", { role: "status" });
  const put = ({ latitude, longitude }) => {
    const position = { latitude, longitude };
    setText(text, words.coordinates(position));
    page.places?.pick(position, put);
    onMove(position);
  };
  return {
    node: element("div.stack", {}, element("p", {}, say("place.moving")), text,
      button("wide", "place", say("place.middle"), () => put(map.position))),
    show: put,
    close: () => page.places?.drop(),
  };
}

/**
 * The part of a place's sheet that moves it: `{ node, show, close }`. `save(position)` returns the
 * place, or null on failure, in which case the mark stays.
 */
export function movePart(page, save) {
  const { say } = page.words;
  let known = null;
  let wanted = null;
  const start = button("wide", "locate", say("place.move"), open);
  const choice = positionPart(page, (position) => wanted = position);
  const card = element("section.card", { "aria-label": say("place.move"), hidden: true },
    choice.node, element("div.actions", {},
      button("main.wide", null, say("place.moveHere"), async () => {
        if (await save(wanted)) close();
      }), button("wide", null, say("place.cancel"), close)));

  function open() {
    start.hidden = true;
    card.hidden = false;
    choice.show(known);
    card.querySelector("button").focus();
  }

  function close() {
    choice.close();
    if (card.hidden) return;
    card.hidden = true;
    start.hidden = false;
    start.focus();
  }

  return {
    node: element("div", {}, start, card),
    show: (place) => known = place,
    close: choice.close,
  };
}
