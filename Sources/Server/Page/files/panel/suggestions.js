// The suggestions below the search field, as a combobox with a list (ARIA Authoring Practices):
// what the text may mean in the photos and on the map.

import { byId, element, icon, picture, redraw, setText } from "../dom.js";
import { readCoordinates } from "../geodesy.js";
import { styled } from "../views/lazily.js";

const patienceMilliseconds = 120;
const fewestLetters = 2;
const metersOfDegree = 111_195;
const signs = {
  town: "town", place: "place", position: "near", photos: "calendar", days: "calendar",
};

/** The box around a circle, for the map. Pure. */
export function boxAround({ latitude, longitude, reach }) {
  const high = reach / metersOfDegree;
  const wide = high / Math.max(0.01, Math.cos((latitude * Math.PI) / 180));
  return [
    Math.max(-90, latitude - high), longitude - wide,
    Math.min(90, latitude + high), longitude + wide,
  ];
}

/** A text without accents and case, character by character. */
const folded = (text) => [...text].map((character) =>
  character.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase()[0] ?? "");

/**
 * The parts of a name, `[text, isHit]`, where hits are words of the query at the beginnings of its
 * words. Pure.
 */
export function hits(name, query) {
  const characters = [...name];
  const letters = folded(name);
  const isHit = characters.map(() => false);
  for (const word of query.trim().split(/\s+/)) {
    const wanted = folded(word);
    const start = letters.findIndex((_, place) =>
      (place === 0 || !/[\p{L}\p{N}]/u.test(letters[place - 1]))
      && wanted.every((letter, index) => letters[place + index] === letter));
    if (start >= 0) isHit.fill(true, start, start + wanted.length);
  }
  const parts = [];
  characters.forEach((character, place) => {
    const last = parts.at(-1);
    if (last && last[1] === isHit[place]) last[0] += character;
    else parts.push([character, isHit[place]]);
  });
  return parts;
}

/** The suggestions of a field. */
export class Suggestions {
  #page;
  #field;
  #list;
  #panel;
  #status;
  #items = [];
  // The text whose suggestions are shown; null if none are.
  #text = null;
  #chosen = -1;
  #request = null;
  #settling = 0;
  // The answer that is waited for, of the text of the field.
  #waiting = null;

  /** Creates the list of a field, with its style. */
  static async started(page, field) {
    await styled("styles/search.css");
    return new Suggestions(page, field);
  }

  constructor(page, field) {
    this.#page = page;
    this.#field = field;
    const { say } = page.words;
    this.#list = element("div", {
      role: "listbox", id: "go-list", "aria-label": say("search.list"),
    });
    this.#panel = element("div.answers", { hidden: true }, this.#list,
      element("p.soft.foot", {}, say("search.hint")));
    // A press in the list leaves the focus in the field.
    this.#panel.addEventListener("pointerdown", (event) => event.preventDefault());
    this.#status = element("span.hidden-text", { role: "status" });
    byId("go").append(this.#panel, this.#status);
    field.addEventListener("input", () => this.#typed());
    field.addEventListener("keydown", (event) => this.#pressed(event));
    field.addEventListener("blur", () => this.close());
    if (field.value) this.#typed();
  }

  /** Opens the chosen suggestion, or the first one once it is known. */
  async enter() {
    const text = this.#field.value.trim();
    if (!text) return;
    if (this.#text !== text) {
      clearTimeout(this.#settling);
      this.#waiting ??= this.#ask(text);
      await this.#waiting;
    }
    if (this.#text !== text) return;
    const item = this.#items[Math.max(0, this.#chosen)];
    if (item) this.#open(item);
  }

  /** Hides the suggestions. */
  close() {
    clearTimeout(this.#settling);
    this.#request?.abort();
    this.#text = null;
    this.#waiting = null;
    this.#panel.hidden = true;
    this.#field.setAttribute("aria-expanded", "false");
    this.#field.removeAttribute("aria-activedescendant");
    setText(this.#status, "");
  }

  #typed() {
    clearTimeout(this.#settling);
    this.#request?.abort();
    this.#waiting = null;
    const text = this.#field.value.trim();
    if ([...text].length < fewestLetters) return this.close();
    this.#settling = setTimeout(() => {
      this.#waiting = this.#ask(text);
    }, patienceMilliseconds);
  }

  async #ask(text) {
    this.#request?.abort();
    this.#request = new AbortController();
    const { signal } = this.#request;
    const { latitude, longitude } = this.#page.map.position;
    const near = `${latitude.toFixed(4)},${longitude.toFixed(4)}`;
    try {
      const { items } = await this.#page.client.get("search", { query: text, near }, { signal });
      if (!signal.aborted) this.#show(text, items);
    } catch (problem) {
      if (problem.name === "AbortError") return;
      const position = problem.isOffline ? readCoordinates(text) : null;
      if (position) return this.#show(text, [{ kind: "position", group: "map", ...position }]);
      this.close();
      this.#page.showError(problem);
    }
  }

  #show(text, items) {
    const { say } = this.#page.words;
    this.#text = text;
    this.#items = items;
    this.#chosen = items.length > 0 ? 0 : -1;
    const names = [...new Set(items.map(({ group }) => group))];
    const groups = names.map((group) => {
      const label = say(group === "map" ? "search.map" : "search.mine");
      return element("div", { role: "group", "aria-label": label },
        element("div.over", { "aria-hidden": true }, label),
        items.map((item, index) => (item.group === group ? this.#option(item, index) : null)));
    });
    redraw(this.#list, ...groups);
    this.#list.hidden = items.length === 0;
    this.#panel.classList.toggle("none", items.length === 0);
    this.#panel.querySelector(".empty")?.remove();
    if (items.length === 0) {
      this.#panel.prepend(element("div.empty", {},
        element("b", {}, say("search.none", { text })),
        element("p", {}, say("search.noneDetail"))));
    }
    this.#panel.hidden = false;
    this.#field.setAttribute("aria-expanded", String(items.length > 0));
    setText(this.#status, items.length > 0 ? say("search.count", { count: items.length })
      : say("search.none", { text }));
    this.#mark();
  }

  #option(item, index) {
    const { say } = this.#page.words;
    const { title, detail, kind } = described(item, this.#text, this.#page.words);
    return element("div.row.slim", {
      role: "option", id: `go-${index}`, "aria-selected": false,
      "aria-label": detail ? say("search.title", { title, detail, kind })
        : say("search.titleAlone", { title, kind }),
      onclick: () => this.#open(item),
    },
    element(`span.sign44.${item.kind}`, {},
      item.cover ? picture(item.cover, { size: 96, isLazy: false }) : icon(signs[item.kind])),
    element("span.texts", {},
      element("span.title", {}, marked(title, this.#text)),
      detail && element("span.soft", {}, marked(detail, this.#text))),
    element("span.kind", {}, kind));
  }

  // Selects the chosen option, and shows it.
  #mark() {
    this.#list.querySelectorAll("[role=option]").forEach((option) => {
      const isChosen = option.id === `go-${this.#chosen}`;
      option.setAttribute("aria-selected", String(isChosen));
      if (!isChosen) return;
      this.#field.setAttribute("aria-activedescendant", option.id);
      option.scrollIntoView({ block: "nearest" });
    });
    if (this.#chosen < 0) this.#field.removeAttribute("aria-activedescendant");
  }

  #pressed(event) {
    const isOpen = !this.#panel.hidden;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) {
      event.preventDefault();
      if (!isOpen) return this.#typed();
      const count = this.#items.length;
      if (count === 0) return;
      this.#chosen = (this.#chosen + step + count) % count;
      this.#mark();
    } else if (event.key === "Escape") {
      // The second one empties the field.
      event.preventDefault();
      if (isOpen) this.close();
      else this.#field.value = "";
    }
  }

  #open(item) {
    const page = this.#page;
    const { map } = page;
    this.close();
    // The first position of a phone no longer moves the map.
    map.dispatchEvent(new Event("touched"));
    page.chooseNear("map");
    // The keyboard of a phone covers the map.
    if (matchMedia("(pointer: coarse)").matches) this.#field.blur();
    const { kind, latitude, longitude } = item;
    if (kind === "position") return map.fly({ latitude, longitude, zoom: 15 });
    if (kind === "town") return map.fit(boxAround(item), { zoomLimit: 12.5 });
    if (kind === "place") {
      map.fly({ latitude, longitude, zoom: 15 });
      return page.go({ view: "place", id: item.id });
    }
    const { from, to, month } = item;
    page.go({ view: "nearby", sought: kind === "album" ? { album: item.name } : { from, to, month } });
    if (kind === "album") return map.fit(item.box, { zoomLimit: 15 });
    if (kind === "photos") return map.fit(boxAround(item), { zoomLimit: 12.5 });
    const { box } = page.store.get("status");
    if (box) map.fit(box, { zoomLimit: 15 });
  }
}

const marked = (text, query) =>
  hits(text, query).map(([part, isHit]) => (isHit ? element("mark", {}, part) : part));

/** The title, the detail and the kind of a suggestion, as texts. */
export function described(item, query, words) {
  const { say, photos, spots } = words;
  const two = (first, second) => (first && second ? say("list.two", { first, second })
    : first || second);
  const counts = () =>
    say("search.counts", { photos: photos(item.photos), spots: spots(item.spots) });
  switch (item.kind) {
    case "town": {
      const isNamed = hits(item.name, query).some(([, isHit]) => isHit);
      const here = item.photos > 0 ? say("search.here", { photos: photos(item.photos) })
        : say("search.noPhotos");
      const detail = two(item.country, here);
      return {
        title: item.name, kind: say("kind.town"),
        detail: isNamed ? detail : two(query.split(",")[0], detail),
      };
    }
    case "photos": return {
      title: say("search.in", { name: item.name, when: words.when(item) }),
      detail: counts(), kind: say("kind.photos"),
    };
    case "days": return {
      title: say("search.all", { when: words.when(item) }), detail: counts(),
      kind: say(item.month ? "kind.month" : "kind.year"),
    };
    case "album": return {
      title: item.name, detail: two(photos(item.photos), item.firstCaptured && words.years(item)),
      kind: say("kind.album"),
    };
    case "place": return {
      title: item.name, kind: say("kind.own"),
      detail: two(words.kind(item.placeKind),
        item.distance == null ? null : words.away(item.distance)),
    };
    default: return {
      title: words.coordinates(item), kind: say("kind.position"),
      detail: item.note ? say(`note.${item.note}`) : "",
    };
  }
}
