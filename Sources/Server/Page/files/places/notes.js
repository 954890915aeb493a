// The notes of a place, newest first: they can be changed, removed and added.

import { element, reconcile, setText } from "../dom.js";
import { button } from "../views/parts.js";
import { textArea } from "./fields.js";

/**
 * The part of a place's sheet with its notes: `{ node, show }`.
 *
 * `change(method, route, json)` sends a change to a route below the place's URL, and returns the
 * place, or null on failure, in which case the entered text is kept.
 */
export function notesPart(page, change) {
  const { words, toasts } = page;
  const { say } = words;
  const list = element("ul.notes", { "aria-label": say("place.notes") });
  const fresh = textArea({ label: say("place.newNote") });
  const heading = element("h3.over", { tabindex: -1 }, say("place.notes"));
  const form = element("form.stack", {
    onsubmit: async (event) => {
      event.preventDefault();
      const text = fresh.input.value.trim();
      if (!text) return fresh.input.focus();
      if (!await change("POST", "notes", { text })) return;
      fresh.input.value = "";
      fresh.input.focus();
    },
  }, fresh.node, element("button.button", { type: "submit" }, say("place.addNote")));

  // An imported note without a date has the epoch's.
  const when = ({ time }) => Date.parse(time) === 0
    ? say("date.none")
    : say("list.two", { first: words.localDay(time), second: words.clock(time) });

  async function remove(note) {
    if (!await change("DELETE", `notes/${encodeURIComponent(note.id)}`)) return;
    if (!list.contains(document.activeElement)) heading.focus({ preventScroll: true });
    const { text, time } = note;
    toasts.show(say("place.noteRemoved"), "", {
      label: say("place.undo"), action: () => change("POST", "notes", { text, time }),
    });
  }

  function create() {
    const item = element("li.note");
    const day = element("div.soft");
    const text = element("p.text");
    const edit = button("quiet", null, say("place.edit"), () => open(item));
    const gone = button("quiet", null, say("place.remove"), () => remove(item.note));
    item.append(day, text, element("div.actions", {}, edit, gone));
    return item;
  }

  function fill(item, note) {
    item.note = note;
    const day = when(note);
    const [edit, gone] = item.querySelectorAll(":scope > .actions > button");
    setText(item.querySelector(".soft"), day);
    setText(item.querySelector(".text"), note.text);
    edit.setAttribute("aria-label", say("place.editNote", { day }));
    gone.setAttribute("aria-label", say("place.removeNote", { day }));
  }

  // The note's text is replaced by a form until it is saved.
  function open(item) {
    const { input, node } = textArea({ label: say("place.noteText"), value: item.note.text });
    const shown = [...item.children].slice(1);
    const close = () => {
      editor.remove();
      for (const one of shown) one.hidden = false;
      item.querySelector("button").focus();
    };
    const editor = element("form.stack", {
      onsubmit: async (event) => {
        event.preventDefault();
        const text = input.value.trim();
        if (!text) return input.focus();
        const route = `notes/${encodeURIComponent(item.note.id)}`;
        if (text === item.note.text || await change("PATCH", route, { text })) close();
      },
      onkeydown: (event) => {
        if (event.key !== "Escape") return;
        event.stopPropagation();
        close();
      },
    }, node, element("div.actions", {},
      element("button.button.main", { type: "submit" }, say("place.save")),
      button("plain", null, say("place.cancel"), close)));
    for (const one of shown) one.hidden = true;
    item.append(editor);
    input.focus();
  }

  return {
    node: element("section.stack", { "aria-label": say("place.notes") }, heading, list, form),
    show({ notes }) {
      list.hidden = notes.length === 0;
      reconcile(list, notes, { key: ({ id }) => id, create, update: fill });
    },
  };
}
