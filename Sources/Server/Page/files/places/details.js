// The name, kind, collections and radius of a place, each saved after it was changed.

import { element, redraw } from "../dom.js";
import { slider, toggle } from "../views/fields.js";
import { collectionsField, maximumCharacters, textField } from "./fields.js";

/** The radii of the slider, in metres; the server accepts any from 10 to 5,000. */
const radii = [
  10, 20, 30, 50, 75, 100, 150, 200, 250, 300, 400, 500, 750, 1000, 1500, 2000, 3000, 5000,
];

/** The index of the radius nearest to a number of metres, by ratio. Pure. */
export const nearestRadius = (meters) => {
  const away = (radius) => Math.abs(Math.log(radius / meters));
  return radii.reduce((best, radius, index) => (away(radius) < away(radii[best]) ? index : best), 0);
};

/**
 * The part of a place's sheet with its fields: `{ node, show }`.
 *
 * `edits` sends changes of members; `preview(radius)` shows a circle.
 */
export function detailsPart(page, { edits, preview }) {
  const { words, store } = page;
  const { say } = words;
  const usual = () => store.get("status")?.proximityRadius ?? 100;
  const nameOf = (kind) => (kind === "place" ? "" : kind);

  const name = textField({
    label: say("keep.name"), most: maximumCharacters.name,
    // A place always has a name.
    onChange: (text) => text ? edits.change("name", text) : name.show(edits.shown("name")),
  });
  const kind = textField({
    label: say("keep.kind"), most: maximumCharacters.kind, hint: say("keep.kindHint"),
    onChange: (text) => edits.change("kind", text),
  });
  const collections = collectionsField(page, {
    onChange: (chosen) => edits.change("collections", chosen),
  });
  const radius = element("div.stack");
  let shownRadius;
  let fields = [];

  function showRadius(own) {
    if (own === shownRadius) {
      // A refused change is put back.
      fields[0].show(own != null);
      fields[1]?.show(nearestRadius(own));
      return;
    }
    shownRadius = own;
    fields = [toggle({
      label: say("place.radiusOwn"), isOn: own != null,
      help: say("place.radiusDetail", { distance: words.length(usual()) }),
      onChange: (isOn) => edits.change("radius", isOn ? radii[nearestRadius(usual())] : null),
    })];
    if (own != null) {
      const at = nearestRadius(own);
      fields.push(slider({
        label: say("settings.within"), least: 0, most: radii.length - 1, step: 1, value: at,
        text: (index) => words.length(index === at ? own : radii[index]),
        onInput: (index) => preview(radii[index]),
        onChange: (index) => edits.change("radius", radii[index]),
      }));
    }
    redraw(radius, ...fields);
  }

  return {
    node: element("section.card", { "aria-label": say("place.details") },
      name.node, kind.node, collections.node, radius),
    show() {
      name.show(edits.shown("name"));
      kind.show(nameOf(edits.shown("kind")));
      collections.show(edits.shown("collections"));
      showRadius(edits.shown("radius") ?? null);
      preview(edits.shown("radius") ?? usual());
    },
  };
}
