// What several views are made of: headings, rows, skeletons, and what to say where there is
// nothing.

import { arrow, element, icon, picture, setText, showPicture, turn } from "../dom.js";

/** Grey shapes of the given heights while something loads. */
export const skeleton = (words, ...heights) => element("div.skeletons", {
  role: "status", "aria-label": words.say("state.loading"),
}, heights.map((height) => {
  const shape = element("div.skeleton", { "aria-hidden": true });
  shape.style.height = `${height}px`;
  return shape;
}));

/** What a problem is called: in the page's words where there are some, else in the server's. */
export function problemTexts(problem, { say }) {
  const isOffline = problem.slug === "offline";
  let title;
  try {
    title = say(`problem.${problem.slug}`);
  } catch {
    title = problem.title || say("problem.other");
  }
  return { title, detail: isOffline ? say("problem.offlineDetail") : problem.detail ?? "" };
}

/** An alert that tells a problem, with a button that tries again. */
export function problemCard(problem, words, tryAgain) {
  const { title, detail } = problemTexts(problem, words);
  const label = words.say("state.tryAgain");
  return element("div.problem", { role: "alert" },
    element("h2", {}, title),
    detail && element("p", {}, detail),
    tryAgain && element("button.button.small", { type: "button", onclick: tryAgain }, label));
}

/** What to do where there is nothing: a drawing, a title, a sentence, and more below. */
export const empty = (drawing, title, detail, ...more) => element("div.empty", {},
  icon(drawing), element("h2", {}, title), element("p", {}, detail), ...more);

/** A button with a drawing and a text. */
export const button = (kind, drawing, text, onclick) =>
  element(`button.button.${kind}`, { type: "button", onclick }, drawing && icon(drawing), text);

/**
 * A heading with the button that leads back to Nearby, and a line below it; the heading can be
 * focused.
 */
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

/** A row of a list of spots; `fillRow` fills it in. */
export function spotRow(open) {
  const image = picture(null, { size: 256 });
  const row = element("li", {}, element("button.row", {
    type: "button",
    onclick: () => open(row.dataset.key),
  }, image, element("span.texts", {}, element("span.title"), element("span.soft")),
  element("span.walk", {}, arrow(0), element("span"))));
  return row;
}

/** Fills in a row with a spot that has a distance and a direction. */
export function fillRow(row, spot, { words, now }) {
  const { say, place, years, photos, walk, distance, ago } = words;
  const [image] = row.getElementsByTagName("img");
  const [title, soft] = row.querySelectorAll(".texts > span");
  const [drawing, meters] = row.querySelector(".walk").children;
  showPicture(image, spot.cover, { size: 256 });
  setText(title, place(spot));
  setText(soft, say("list.two", { first: years(spot), second: photos(spot.photoCount) }));
  setText(meters, distance(spot.distance));
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
