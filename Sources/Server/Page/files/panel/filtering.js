// The button of the filters beside the years. Their fields are loaded when they are opened.

import { byId, setText } from "../dom.js";

// The years have a display of their own.
const isOwn = ([name, value]) => value != null && name !== "from" && name !== "to";

/** Opens the fields of the filters; returns `{ show(filters) }`, which shows how many there are. */
export function listenForFilters(page) {
  const { say } = page.words;
  const [button, fields] = [byId("filter"), byId("filter-fields")];
  let showFields = null;

  function show(filters) {
    const count = Object.entries(filters).filter(isOwn).length;
    setText(button, count > 0 ? say("filter.some", { count }) : say("filter.open"));
    showFields?.();
  }

  button.addEventListener("click", async () => {
    const isOpen = fields.hidden;
    button.setAttribute("aria-expanded", String(isOpen));
    fields.hidden = !isOpen;
    if (!isOpen || showFields) return;
    try {
      const { showFilters } = await import("../map/filters.js");
      showFields = await showFilters(page, fields);
    } catch {
      page.toasts.show(say("problem.offline"), say("remedy.offline"));
    }
  });
  show(page.store.get("filters"));
  return { show };
}
