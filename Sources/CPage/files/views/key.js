// The form that asks for the key if the browser has no session.

import { element } from "../dom.js";
import { problemTexts } from "./parts.js";

/** Shows the form; `onOpen` is called once the server accepted a key. */
export function key(pane, { onOpen }, { client, words }) {
  const { say } = words;
  const wrong = element("p.wrong", { role: "alert" });
  const field = element("input", {
    type: "text", id: "key-field", autocomplete: "off", autocapitalize: "off", spellcheck: "false",
    required: true,
  });
  const form = element("form.key", {
    "aria-label": say("key.form"),
    onsubmit: async (event) => {
      event.preventDefault();
      try {
        await client.open(field.value);
        onOpen();
      } catch (problem) {
        wrong.textContent = problem.status === 401 ? say("key.wrong")
          : problemTexts(problem, words).title;
      }
    },
  }, element("h2", {}, say("key.title")), element("p.soft", {}, say("key.detail")),
  element("label", { for: "key-field" }, say("key.field")), field, wrong,
  element("button.button.main", { type: "submit" }, say("key.open")));
  pane.replaceChildren(form);
}
