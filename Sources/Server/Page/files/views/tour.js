// Three cards for who comes for the first time, in front of the map. They can be skipped, and are
// shown once in a browser.

import { element, icon, redraw, setText } from "../dom.js";
import { keep } from "../panel/choices.js";
import { button } from "./parts.js";

const cards = [["places", "place"], ["near", "bell"], ["again", "camera"]];

/** Shows the first card. */
export function showTour(page) {
  const { say } = page.words;
  // Leaving the page counts as skipping.
  keep("tour", "seen");
  const drawing = element("span.drawing");
  const title = element("h2", { tabindex: -1 });
  const text = element("p");
  const count = element("span.soft");
  let number = 0;
  const next = button("small.main", null, "", () => {
    number += 1;
    if (number === cards.length) return end();
    show();
    title.focus();
  });
  const skip = button("small.quiet", null, say("tour.skip"), end);
  const card = element("section.tour", { "aria-label": say("tour.title") },
    drawing, element("div.texts", {}, title, text),
    element("div.ends", {}, count, element("div.actions", {}, skip, next)));

  function show() {
    const [name, image] = cards[number];
    redraw(drawing, icon(image));
    setText(title, say(`tour.${name}`));
    setText(text, say(`tour.${name}Detail`));
    setText(count, say("tour.count", { number: number + 1, count: cards.length }));
    setText(next, say(number + 1 < cards.length ? "tour.next" : "tour.done"));
    skip.hidden = number + 1 === cards.length;
  }

  function end() {
    const hadFocus = card.contains(document.activeElement);
    card.remove();
    if (hadFocus) page.map.element.focus();
  }

  card.addEventListener("keydown", (event) => {
    if (event.key === "Escape") end();
  });
  show();
  document.body.append(card);
}
