// The name, kind, collections and radius of a place, each saved after it was changed.

import { element } from "../dom.js";
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
 * The part of a place's sheet with its fields: `{ node, show, saveAgain }`.
 *
 * `save(changes)` asks the server to change members; `preview(radius)` shows a circle.
 */
export function detailsPart(page, { save, preview }) {
  const { words, store } = page;
  const { say } = words;
  const usual = () => store.get("status")?.proximityRadius ?? 100;
  let known = null;

  const name = textField({
    label: say("keep.name"), most: maximumCharacters.name,
    // A place always has a name.
    onChange: (text) => text ? save({ name: text }) : name.input.value = known.name,
  });
  const kind = textField({
    label: say("keep.kind"), most: maximumCharacters.kind, hint: say("keep.kindHint"),
    onChange: (text) => save({ kind: text }),
  });
  const collections = collectionsField(page, { onChange: (chosen) => save({ collections: chosen }) });
  const radius = element("div.stack");
  let shownRadius;

  function showRadius() {
    if (known.radius === shownRadius) return;
    shownRadius = known.radius;
    const focused = radius.contains(document.activeElement) ? document.activeElement.type : null;
    const own = known.radius;
    const fields = [toggle({
      label: say("place.radiusOwn"), isOn: own != null,
      help: say("place.radiusDetail", { distance: words.length(usual()) }),
      onChange: (isOn) => save({ radius: isOn ? radii[nearestRadius(usual())] : null }),
    })];
    if (own != null) {
      const at = nearestRadius(own);
      fields.push(slider({
        label: say("settings.within"), least: 0, most: radii.length - 1, step: 1, value: at,
        text: (index) => words.length(index === at ? own : radii[index]),
        onInput: (index) => preview(radii[index]),
        onChange: (index) => save({ radius: radii[index] }),
      }));
    }
    radius.replaceChildren(...fields);
    if (focused) radius.querySelector(`input[type="${CSS.escape(focused)}"]`)?.focus();
  }

  return {
    node: element("section.card", { "aria-label": say("place.details") },
      name.node, kind.node, collections.node, radius),
    show(place) {
      known = place;
      name.show(place.name);
      kind.show(place.kind === "place" ? "" : place.kind);
      collections.show(place.collections);
      showRadius();
      preview(place.radius ?? usual());
    },
    /** Sends the changes again that the server did not receive. */
    saveAgain() {
      const changes = {
        ...(name.unsaved && { name: name.unsaved }),
        ...(kind.unsaved !== null && { kind: kind.unsaved }),
      };
      if (Object.keys(changes).length > 0) save(changes);
    },
  };
}
