// The form that asks for the key or a code if the browser has no session.

import { element, redraw } from "../dom.js";
import { problemTexts } from "./parts.js";

/**
 * Shows the form until the server accepts a key or code.
 *
 * - `problem`: why the last one was refused; null if none was entered.
 */
export function key(pane, { problem }, { client, words }) {
  const { say } = words;
  const wrong = element("p.wrong", { role: "alert" }, problem && wrongText(problem, words));
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
      } catch (problem) {
        wrong.textContent = wrongText(problem, words);
      }
    },
  }, element("h2", {}, say("key.title")), element("p.soft", {}, say("key.detail")),
  element("label", { for: "key-field" }, say("key.field")), field, wrong,
  element("button.button.main", { type: "submit" }, say("key.open")));
  redraw(pane, form);
}

// The text of a refusal.
function wrongText(problem, words) {
  const { say } = words;
  if (problem.slug === "no-token") return say("key.lost");
  if (problem.slug === "wrong-code") return say("key.wrongCode");
  return problem.status === 401 ? say("key.wrong") : problemTexts(problem, words).title;
}
