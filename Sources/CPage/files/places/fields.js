// Fields of places: a text that is saved after editing, and the collections of a place.

import { element } from "../dom.js";
import { labelled } from "../views/fields.js";
import { button } from "../views/parts.js";
import { toggled } from "./arrange.js";

/** The maximum number of characters. */
export const maximumCharacters = { name: 200, kind: 60, collection: 100, note: 10_000 };

// The server's limit for one place.
const maximumCollections = 100;

/**
 * A field of one line: `{ node, input, show, unsaved }`.
 *
 * `show` sets a value from the server, unless the person is editing; `unsaved` is a text that the
 * server does not have, or null. `onChange` is called after editing.
 */
export function textField({ label, most, value = "", hint, onChange }) {
  let known = value;
  const input = element("input", {
    type: "text", maxlength: most, value, placeholder: hint, autocomplete: "off",
    onchange: () => onChange?.(input.value.trim()),
  });
  return {
    node: labelled(label, input),
    input,
    show(next) {
      if (input.value.trim() === known && document.activeElement !== input || input.value === "") {
        input.value = next;
      }
      known = next;
    },
    get unsaved() {
      const text = input.value.trim();
      return text === known ? null : text;
    },
  };
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
    const focused = switches.contains(document.activeElement)
      ? document.activeElement.dataset.name : null;
    const known = (page.places?.collections ?? []).map(({ name }) => name);
    const names = [...new Set([...known, ...value])].sort();
    switches.replaceChildren(...names.map((name) => element("button.toggle", {
      type: "button", "data-name": name, "aria-pressed": value.includes(name),
      onclick: () => choose(toggled(value, name)),
    }, name)));
    switches.hidden = names.length === 0;
    if (focused !== null) {
      [...switches.children].find(({ dataset }) => dataset.name === focused)?.focus();
    }
  }

  show(chosen);
  return { node, show, get chosen() { return value; } };
}

/** A field of several lines. */
export function textArea({ label, value = "", most = maximumCharacters.note }) {
  const input = element("textarea", { rows: 3, maxlength: most, value });
  return { node: labelled(label, input), input };
}
