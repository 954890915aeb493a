// Loads the less used views when they are opened, so that the page starts faster.

import { Problem } from "../api.js";
import { redraw } from "../dom.js";
import { problemCard, skeleton } from "./parts.js";

/**
 * A view that is loaded when it is shown.
 *
 * - `load`: imports the module; `name`: the name of the view's function in it.
 *
 * If the server does not answer, it is loaded again with the next `refresh`, which the page sends
 * when the server answers again.
 */
export const later = (load, name) => (pane, place, page, signal) => {
  const opened = {};
  async function open() {
    delete opened.refresh;
    redraw(pane, skeleton(page.words, 60, 60, 60));
    try {
      const views = await load();
      if (!signal.aborted) Object.assign(opened, views[name](pane, place, page, signal));
    } catch {
      if (signal.aborted) return;
      const problem = new Problem({ type: "/problems/offline" });
      redraw(pane, problemCard(problem, page.words, open));
      opened.refresh = open;
    }
  }
  open();
  return opened;
};
