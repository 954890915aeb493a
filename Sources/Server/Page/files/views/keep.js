// The form for a new place: a position, a name, a kind, a note, and collections.

import { element, redraw } from "../dom.js";
import { collectionsField, maximumCharacters, textArea, textField } from "../places/fields.js";
import { positionPart } from "../places/position.js";
import { button, headed, problemCard } from "./parts.js";

/** The request body for a new place: only the given members. Pure. */
export const placeToKeep = ({ position, spot, name, kind, note, collections }) => ({
  ...position,
  ...(spot && { spot }),
  ...(name && { name }),
  ...(kind && { kind }),
  ...(note && { note }),
  ...(collections.length > 0 && { collections }),
});

/** Shows the form; `spot` is the id of the spot to pin the place to, `title` that spot's name. */
export function keep(pane, { latitude, longitude, spot, title }, page) {
  const { words, client, toasts } = page;
  const { say } = words;
  const fixed = { latitude, longitude };
  let position = fixed;
  const where = positionPart(page, (moved) => position = moved);
  const name = textField({
    label: say("keep.name"), most: maximumCharacters.name, hint: title ?? say("keep.nameHint"),
  });
  const kind = textField({
    label: say("keep.kind"), most: maximumCharacters.kind, hint: say("keep.kindHint"),
  });
  const note = textArea({ label: say("keep.note") });
  const collections = collectionsField(page, {});
  const problem = element("div");
  const { head, heading } = headed(page, say("keep.open"),
    spot ? say("keep.pinned", { place: title }) : words.coordinates(fixed));
  let isSaving = false;

  async function save(event) {
    event?.preventDefault();
    if (isSaving) return;
    isSaving = true;
    try {
      const made = await client.send("POST", "places", {
        json: placeToKeep({
          position, spot, name: name.input.value.trim(), kind: kind.input.value.trim(),
          note: note.input.value.trim(), collections: collections.chosen,
        }),
      });
      toasts.show(say("keep.saved"), made.name);
      // If another view was opened meanwhile, it stays open.
      if (heading.isConnected) page.go({ view: "place", id: made.id, isInstead: true });
      page.places?.refresh();
    } catch (failure) {
      // The form keeps its input.
      if (failure.status !== 401) redraw(problem, problemCard(failure, words, save));
    } finally {
      isSaving = false;
    }
  }

  redraw(pane, head, element("form.stack", { onsubmit: save },
    name.node, kind.node, note.node, collections.node, spot ? null : where.node, problem,
    element("div.actions", {},
      element("button.button.main.wide", { type: "submit" }, say("keep.open")),
      button("wide", null, say("place.cancel"), () => history.back()))));
  if (!spot) where.show(fixed);
  heading.focus({ preventScroll: true });
  return {
    places: () => {
      collections.show(collections.chosen);
      if (!spot) where.show(position);
    },
    close: where.close,
  };
}
