// The tabs of the panel: one is in the tab order, and arrow keys move to the next.

import { byId } from "../dom.js";
import { tabs as names } from "../router.js";

/** The tabs, and the badge of unseen alerts. */
export class Tabs {
  #tabs = names.map((name) => byId(`tab-${name}`));
  #badge = byId("unseen");
  #badgeText = byId("unseen-text");
  #words;

  /** Creates the tabs; `onSelect` is called with the name of a selected tab. */
  constructor({ words, onSelect }) {
    this.#words = words;
    this.#tabs.forEach((tab, index) => {
      tab.addEventListener("click", () => onSelect(names[index]));
      tab.addEventListener("keydown", (event) => {
        const to = { ArrowRight: index + 1, ArrowLeft: index - 1, Home: 0, End: -1 }[event.key];
        if (to === undefined) return;
        event.preventDefault();
        const next = (to + this.#tabs.length) % this.#tabs.length;
        this.#tabs[next].focus();
        onSelect(names[next]);
      });
    });
  }

  /** Marks the tab of a view; a view without one, such as a spot's, belongs to Nearby. */
  mark(view) {
    const name = names.includes(view) ? view : "nearby";
    this.#tabs.forEach((tab, index) => {
      const isSelected = names[index] === name;
      tab.setAttribute("aria-selected", String(isSelected));
      tab.tabIndex = isSelected ? 0 : -1;
    });
    byId("view").setAttribute("aria-labelledby", `tab-${name}`);
  }

  /** Sets the number of unseen alerts. */
  badge(count) {
    this.#badge.hidden = count === 0;
    this.#badge.textContent = this.#words.number(count);
    this.#badgeText.textContent = count > 0 ? this.#words.say("tab.unseen", { count }) : "";
  }
}
