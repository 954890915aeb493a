// The filter by collections above the years: a button that unfolds a switch for each.

import { byId, element, icon, redraw, setText } from "../dom.js";
import { toggled } from "./arrange.js";

/** The filter; it is hidden if there are no collections. */
export class CollectionFilter {
  #words;
  #onChoose;
  #onCover;
  #collections = [];
  #chosen = [];
  #region;
  #button;
  #list;

  /** Creates the filter; `onChoose` receives the selected names, none for all places. */
  constructor({ words, onChoose, onCover }) {
    this.#words = words;
    this.#onChoose = onChoose;
    this.#onCover = onCover;
    const { say } = words;
    this.#list = element("div.choices", {
      role: "group", "aria-label": say("collections.label"), id: "collections-list", hidden: true,
    });
    this.#button = element("button.fold", {
      type: "button", "aria-expanded": false, "aria-controls": "collections-list",
      onclick: () => this.#fold(!this.#list.hidden),
    }, icon("place"), element("span"));
    this.#region = element("section.collections", {
      "aria-label": say("collections.label"), hidden: true,
      onkeydown: (event) => {
        if (event.key !== "Escape" || this.#list.hidden) return;
        this.#fold(true);
        this.#button.focus();
      },
    }, this.#button, this.#list);
    const years = byId("years");
    years.after(this.#region);
    // Its position depends on the height of the years.
    new ResizeObserver(() => {
      const height = years.hidden ? 0 : years.offsetHeight + 8;
      document.documentElement.style.setProperty("--years", `${height}px`);
      onCover();
    }).observe(years);
  }

  /** The collections: `[{ name, count }]`. */
  get collections() {
    return this.#collections;
  }

  /** The pixel of its top, or Infinity if it is hidden. */
  get top() {
    return this.#region.hidden ? Infinity : this.#button.getBoundingClientRect().top;
  }

  /** Sets the collections and the selected ones. */
  show(collections, chosen) {
    const isSame = JSON.stringify(collections) === JSON.stringify(this.#collections);
    this.#collections = collections;
    this.#chosen = chosen;
    const wasHidden = this.#region.hidden;
    const isGone = collections.length === 0;
    if (isGone && this.#region.contains(document.activeElement)) byId("map").focus();
    this.#region.hidden = isGone;
    if (wasHidden !== this.#region.hidden) this.#onCover();
    if (!isSame) this.#fill();
    this.#press();
  }

  /** Selects collections by name; none means all places. */
  choose(chosen) {
    this.#chosen = chosen;
    this.#press();
    this.#onChoose(chosen);
  }

  #fill() {
    const { say, places } = this.#words;
    redraw(this.#list, 
      this.#switch("", say("collections.all"), () => this.choose([])),
      ...this.#collections.map(({ name, count }) => this.#switch(name,
        say("list.two", { first: name, second: places(count) }),
        () => this.choose(toggled(this.#chosen, name)))));
  }

  #switch(name, text, onclick) {
    return element("button.toggle", { type: "button", "data-key": name, onclick }, text);
  }

  #press() {
    const { say } = this.#words;
    for (const one of this.#list.children) {
      const { key: name } = one.dataset;
      const isPressed = name ? this.#chosen.includes(name) : this.#chosen.length === 0;
      one.setAttribute("aria-pressed", String(isPressed));
    }
    const count = this.#chosen.length;
    setText(this.#button.lastElementChild, count === 0 ? say("collections.none")
      : say("collections.some", { count, total: this.#collections.length }));
  }

  #fold(isFolded) {
    this.#list.hidden = isFolded;
    this.#button.setAttribute("aria-expanded", String(!isFolded));
  }
}
