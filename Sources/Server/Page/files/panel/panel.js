// The panel: shows the view of a place, and notifies it of changes.
//
// A view is a function of `(pane, place, page, signal)`: it fills the pane, and returns handlers of
// changes: `position`, `moved` (the map), `filters`, `refresh` (the index), `mutes`, `alerts`,
// `settings`, and `close`. `signal` is aborted when another view is opened.

import { byId, redraw } from "../dom.js";

/** Shows one view at a time. */
export class Panel {
  #pane = byId("view");
  #views;
  #page;
  #open = {};
  #controller = new AbortController();

  /** Creates a panel of views by name; `page` is their shared state. */
  constructor(views, page) {
    this.#views = views;
    this.#page = page;
  }

  /**
   * Shows the view of a place. `isArrival`: a person navigated there, so the map follows;
   * `isAgain`: the camera opens over the spot.
   */
  show(place, { isArrival = false, isAgain = false } = {}) {
    this.close();
    redraw(this.#pane);
    this.#pane.scrollTop = 0;
    this.#controller = new AbortController();
    const view = this.#views[place.view];
    const { signal } = this.#controller;
    this.#open = view(this.#pane, { ...place, isArrival, isAgain }, this.#page, signal) ?? {};
  }

  /** Closes the current view. */
  close() {
    this.#controller.abort();
    this.#open.close?.();
    this.#open = {};
  }

  /** Notifies the view of a change. */
  notify(change) {
    this.#open[change]?.();
  }
}
