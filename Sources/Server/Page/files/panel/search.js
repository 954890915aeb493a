// The search field. What it suggests is loaded with the first focus.

import { byId } from "../dom.js";

/** Suggests places, albums, years and towns in the field, and opens the chosen one. */
export function listenForSearch(page) {
  const field = byId("go-text");
  let suggestions = null;

  function load() {
    suggestions ??= import("./suggestions.js").then(
      ({ Suggestions }) => Suggestions.started(page, field),
      (error) => {
        suggestions = null;
        throw error;
      });
    return suggestions;
  }

  field.addEventListener("focus", () => load().catch(() => {}));
  byId("go").addEventListener("submit", async (event) => {
    event.preventDefault();
    try {
      (await load()).enter();
    } catch {
      page.toasts.show(page.words.say("problem.offline"), page.words.say("remedy.offline"));
    }
  });
}
