// Fields of places: a text that is saved after editing, and the collections of a place.

import { element, redraw } from "../dom.js";
import { labelled, showText, writtenText } from "../views/fields.js";
import { button } from "../views/parts.js";
import { toggled } from "./arrange.js";

/** The maximum number of characters. */
export const maximumCharacters = { name: 200, kind: 60, collection: 100, note: 10_000 };

// The server's limit for one place.
const maximumCollections = 100;

/**
 * A field of one line: `{ node, input, show }`.
 *
 * `show` sets a value from the server, unless the person is editing. `onChange` is called after
 * editing.
 */
export function textField({ label, most, hint, onChange }) {
  const input = element("input", {
    type: "text", maxlength: most, placeholder: hint, autocomplete: "off",
    onchange: () => onChange?.(writtenText(input)),
  });
  return { node: labelled(label, input), input, show: (value) => showText(input, value) };
}

/**
 * Switches for collections, and a field for a new one: `{ node, show, chosen }`. `onChange`
 * receives the selected names.
 */
export function collectionsField(page, { chosen = [], onChange }) {
  const { say } = page.words;
  let value = chosen;
  const switches = element("div.choices", {
    role: "group", "aria-label": say("collections.label"),
  });
  const input = element("input", {
    type: "text", maxlength: maximumCharacters.collection, autocomplete: "off",
    "aria-label": say("collections.new"), placeholder: say("collections.new"),
    onkeydown: (event) => {
      if (event.key !== "Enter") return;
      event.preventDefault();
      add();
    },
  });
  const node = element("div.field", {}, element("div.label", {}, say("collections.label")),
    switches, element("div.with-button", {}, input,
      button("add", null, say("collections.add"), add)));

  function add() {
    const name = input.value.trim();
    if (!name) return input.focus();
    input.value = "";
    if (!value.includes(name)) choose(toggled(value, name));
    input.focus();
  }

  function choose(next) {
    if (next.length > maximumCollections) return;
    show(next);
    onChange?.(next);
  }

  function show(next) {
    value = next;
    const known = (page.places?.collections ?? []).map(({ name }) => name);
    const names = [...new Set([...known, ...value])].sort();
    redraw(switches, ...names.map((name) => element("button.toggle", {
      type: "button", "data-key": name, "aria-pressed": value.includes(name),
      onclick: () => choose(toggled(value, name)),
    }, name)));
    switches.hidden = names.length === 0;
  }

  show(chosen);
  return { node, show, get chosen() { return value; } };
}

/** A field of several lines. */
export function textArea({ label, value = "", most = maximumCharacters.note }) {
  const input = element("textarea", { rows: 3, maxlength: most, value });
  return { node: labelled(label, input), input };
}
