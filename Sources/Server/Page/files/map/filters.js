// The filters beside the years: favourites, an album, age, a season or month, and words of names.

import { element, redraw } from "../dom.js";
import { labelled, showText, toggle, writtenText } from "../views/fields.js";
import { styled } from "../views/lazily.js";

const ages = [1, 2, 5, 10, 20];
const seasons = ["spring", "summer", "autumn", "winter"];
const mostAlbums = 500;

/** The names of the filters besides the years. */
export const names = ["favorites", "album", "until", "season", "month", "text"];

/** The number of filters besides the years. Pure. */
export const countOf = (filters) => names.filter((name) => filters[name] != null).length;

/** The last day of photos that are some years old, `2016-11-22`. Pure. */
export function untilOf(years, now) {
  const day = new Date(Date.UTC(now.getFullYear() - years, now.getMonth(), now.getDate()));
  return day.toISOString().slice(0, 10);
}

/** Shows the filters in an element; returns a function that shows their current values. */
export async function showFilters(page, parent) {
  await styled("styles/filters.css");
  const { words, store, client } = page;
  const { say } = words;
  const change = (changes) => page.narrow({ ...store.get("filters"), ...changes });
  const options = (pairs) => pairs.map(([value, text]) => element("option", { value }, text));

  const favorites = toggle({
    label: say("filter.favorites"), isOn: false,
    onChange: (isOn) => change({ favorites: isOn ? true : null }),
  });
  const album = element("select", { onchange: () => change({ album: album.value || null }) },
    options([["", say("filter.anyAlbum")]]));
  const age = element("select", { onchange: () => change({ until: age.value || null }) }, options([
    ["", say("filter.anyAge")],
    ...ages.map((years) => [untilOf(years, page.now()), say("filter.older", { count: years })]),
  ]));
  const time = element("select", {
    onchange: () => change({
      season: seasons.includes(time.value) ? time.value : null,
      month: Number(time.value) || null,
    }),
  }, options([
    ["", say("filter.anyTime")],
    ...seasons.map((season) => [season, say(`season.${season}`)]),
    ...Array.from({ length: 12 }, (_, index) => [String(index + 1), words.month(index + 1)]),
  ]));
  const text = element("input", {
    type: "text", maxlength: 50, autocomplete: "off", spellcheck: "false",
    onchange: () => change({ text: writtenText(text) || null }),
  });
  const clear = element("button.button.small", {
    type: "button", onclick: () => change(Object.fromEntries(names.map((name) => [name, null]))),
  }, say("filter.clear"));

  function choose(select, value) {
    // A value that is none of the choices, such as an album that is gone, is one more.
    if (![...select.options].some((option) => option.value === value)) {
      select.append(element("option", { value }, value));
    }
    select.value = value;
  }

  function show() {
    const filters = store.get("filters");
    favorites.show(filters.favorites === true);
    choose(album, filters.album ?? "");
    choose(age, filters.until ?? "");
    choose(time, filters.season ?? String(filters.month ?? ""));
    showText(text, filters.text ?? "");
    clear.disabled = countOf(filters) === 0;
  }

  redraw(parent, favorites, labelled(say("filter.album"), album),
    labelled(say("filter.age"), age), labelled(say("filter.time"), time),
    labelled(say("filter.text"), text, say("filter.textHelp")), clear);
  show();
  client.get("albums", { limit: mostAlbums }).then(({ items }) => {
    album.append(...options(items.map(({ name }) => [name, name])));
    show();
  }, page.showError);
  return show;
}
