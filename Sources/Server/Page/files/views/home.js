// What Nearby shows where no spot is within a walk: this week in other years, places not
// photographed for a long time, and the newest album; the largest spots if there is none of them.

import { element, picture, redraw } from "../dom.js";
import { button } from "./parts.js";

/** The month and day of a date in the browser's time zone, as the API takes them: `11-27`. Pure. */
export const monthDay = (date) => [date.getMonth() + 1, date.getDate()]
  .map((part) => String(part).padStart(2, "0")).join("-");

/** A spot's name with its town, unless the name says it. Pure. */
export function placeAndTown(spot, { say, place }) {
  const [name, town] = [place(spot), spot.place?.name];
  return !town || name.includes(town) ? name : say("distinct.name", { name, what: town });
}

/** The years of a spot other than that of a photo and the current one. Pure. */
export const otherYears = ({ years }, shown, now) =>
  years.filter((year) => year !== shown && year !== now).map(String);

const yearOf = (captured) => Number(captured.slice(0, 4));

/** Fills an element with the regions that are not empty; `memories` is the answer of the API. */
export async function fillHome(pane, memories, page, signal) {
  const { week: [first], unseen, album } = memories;
  const regions = [
    first && week(first, page),
    unseen.items.length > 0 && notSeen(unseen, page),
    album?.items.length > 0 && newest(album, page),
  ].filter(Boolean);
  if (regions.length > 0) return redraw(pane, ...regions);
  const { items } = await page.client.get(
    "spots", { limit: 10, ...page.store.get("filters") }, { signal });
  redraw(pane, largest(items, page));
}

const section = (title, content) => element("section.stack", { "aria-label": title },
  element("h3.over", {}, title), content);

function week({ spot, photo }, page) {
  const { say, day, photos, list } = page.words;
  const now = page.now().getFullYear();
  const year = yearOf(photo.captured);
  const place = placeAndTown(spot, page.words);
  const ago = say("first.ago", { count: now - year });
  const others = otherYears(spot, year, now);
  const count = photos(spot.photoCount);
  const sub = others.length > 0
    ? say("list.two", { first: count, second: say("first.also", { years: list(others) }) }) : count;
  return section(say("first.week"), element("button.nearest", {
    type: "button",
    "aria-label": say("first.item", { place, day: day(photo.captured), ago }),
    onclick: () => page.go({ view: "spot", id: spot.id }),
  }, picture(photo.id, { size: 1024, isSquare: false, className: "cover", isLazy: false }),
  element("span.veil"),
  element("span.texts", {},
    element("span.name", {}, say("list.two", { first: place, second: day(photo.captured) })),
    element("span.big", {}, ago),
    element("span.sub", {}, sub))));
}

function row({ cover, title, soft, onclick }) {
  return element("li", {}, element("button.row", {
    type: "button", onclick, "aria-label": `${title}, ${soft}`,
  }, picture(cover, { size: 256 }),
  element("span.texts", {}, element("span.title", {}, title), element("span.soft", {}, soft))));
}

function notSeen({ zoom, items }, page) {
  const { say, photos } = page.words;
  const title = say("first.unseen");
  return section(title, element("ul.list", { "aria-label": title }, items.map((
    { pin, lastCaptured },
  ) => row({
    cover: pin.cover,
    title: placeAndTown(pin, page.words),
    soft: say("first.lastYear", {
      year: String(yearOf(lastCaptured)), photos: photos(pin.photos),
    }),
    onclick: () => page.openPin(pin, zoom),
  }))));
}

function newest({ name, title, photos: count, box, spot, items }, page) {
  const { say, day, photos } = page.words;
  const label = say("first.album");
  const all = count > 1 && button("quiet.small", null,
    say("first.all", { photos: photos(count) }),
    () => page.go({ view: "cluster", title, box, album: name }));
  const head = element("div.between", {}, element("h3.over", {}, label), all);
  const caption = spot ? placeAndTown({ title, place: spot.place }, page.words) : title;
  const grid = element("ul.grid", { "aria-label": label }, items.map((photo, index) =>
    element("li", {}, element("button", {
      type: "button",
      "aria-label": say("photo.image", { day: day(photo.captured) }),
      onclick: () => page.go({ view: "spot", id: photo.spot }),
    }, picture(photo.id, { size: 256 }),
    index === 0 && element("span.caption", {}, caption)))));
  return element("section.stack", { "aria-label": label }, head, grid);
}

function largest(items, page) {
  const { say, place, years, photos } = page.words;
  const title = say("first.largest");
  return section(title, element("ul.list", { "aria-label": title }, items.map((spot) => row({
    cover: spot.cover,
    title: place(spot),
    soft: say("list.two", { first: years(spot), second: photos(spot.photoCount) }),
    onclick: () => page.go({ view: "spot", id: spot.id }),
  }))));
}
