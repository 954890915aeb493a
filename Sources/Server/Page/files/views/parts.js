// Parts shared by views: headings, rows, skeletons, problems, and messages for empty lists.

import { arrow, element, icon, picture, setText, showPicture, turn } from "../dom.js";
import { isHere } from "../words/speech.js";

/** Grey placeholders of the given heights in pixels, shown while loading. */
export const skeleton = (words, ...heights) => element("div.skeletons", {
  role: "status", "aria-label": words.say("state.loading"),
}, heights.map((height) => {
  const shape = element("div.skeleton", { "aria-hidden": true });
  shape.style.height = `${height}px`;
  return shape;
}));

/**
 * The title and detail of a problem, in the page's language: by its type, since the server's own
 * sentences are English. Those say more, so an English page shows them. `ownDetail` is a sentence
 * of the page. Pure.
 */
export function problemTexts(problem, { say, has, locale }) {
  const { slug, title, detail, parameter, ownDetail } = problem;
  const isEnglish = locale.startsWith("en");
  const own = ownDetail ?? (isEnglish ? detail : null);
  if (!has(`problem.${slug}`)) {
    return { title: isEnglish && title || say("problem.other"), detail: own || say("remedy.other") };
  }
  const name = parameter && has(`remedy.${slug}.named`) ? `${slug}.named` : slug;
  return { title: say(`problem.${slug}`), detail: own || say(`remedy.${name}`) };
}

/**
 * The heading above a problem with a spot or a place: that it is gone only where the server says
 * so. Without an answer nothing is known of it. Pure.
 */
export const headingOfProblem = ({ status }, { say }) =>
  say(status === 404 ? "spot.gone" : "spot.unread");

/** A message about a problem, with a button to try again. */
export function problemCard(problem, words, tryAgain) {
  const { title, detail } = problemTexts(problem, words);
  const label = words.say("state.tryAgain");
  return element("div.problem", { role: "alert" },
    element("h2", {}, title),
    detail && element("p", {}, detail),
    tryAgain && element("button.button.small", { type: "button", onclick: tryAgain }, label));
}

/** A message for an empty list: an icon, a title, a sentence, and more content below. */
export const empty = (drawing, title, detail, ...more) => element("div.empty", {},
  icon(drawing), element("h2", {}, title), element("p", {}, detail), ...more);

/** A button with an optional icon and a text. */
export const button = (kind, drawing, text, onclick) =>
  element(`button.button.${kind}`, { type: "button", onclick }, drawing && icon(drawing), text);

/** A focusable heading, a line below it and a button back to Nearby: `{ head, heading, below }`. */
export function headed(page, title, line) {
  const heading = element("h2", { tabindex: -1 }, title);
  const below = element("p.soft", {}, line);
  const head = element("div.head", {},
    element("button.plain-icon", {
      type: "button",
      "aria-label": page.words.say("back"),
      onclick: () => page.go({ view: "nearby" }),
    }, icon("back")),
    element("div", {}, heading, below));
  return { head, heading, below };
}

/** An empty row for a list of spots, to be filled by `fillRow`. */
export function spotRow(open) {
  const image = picture(null, { size: 256 });
  const row = element("li", {}, element("button.row", {
    type: "button",
    onclick: () => open(row.dataset.key),
  }, image, element("span.texts", {}, element("span.title"), element("span.soft")),
  element("span.walk", {}, arrow(0), element("span"))));
  return row;
}

/** Fills a row with a spot, its distance and its direction. */
export function fillRow(row, spot, { words, now }) {
  const { say, place, years, photos, walk, away, ago } = words;
  const [image] = row.getElementsByTagName("img");
  const [title, soft] = row.querySelectorAll(".texts > span");
  const [drawing, meters] = row.querySelector(".walk").children;
  showPicture(image, spot.cover, { size: 256 });
  setText(title, place(spot));
  setText(soft, say("list.two", { first: years(spot), second: photos(spot.photoCount) }));
  setText(meters, away(spot.distance));
  drawing.toggleAttribute("hidden", isHere(spot.distance));
  turn(drawing, spot.bearing);
  row.firstElementChild.title = spot.lastCaptured
    ? say("nearby.last", { ago: ago(spot.lastCaptured, now) }) : "";
  row.firstElementChild.setAttribute("aria-label", say("nearby.item", {
    place: place(spot),
    walk: walk(spot.distance, spot.bearing),
    photos: photos(spot.photoCount),
    years: years(spot),
  }));
}
