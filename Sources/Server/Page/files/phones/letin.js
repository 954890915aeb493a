// The question on a phone that opened the link of a code: it is used up only after a touch, since
// programs open links for a preview.

import { element } from "../dom.js";
import { styled } from "../views/lazily.js";
import { button, problemTexts } from "../views/parts.js";
import { words } from "../words/words.js";

/**
 * Asks, and logs in with the code. Resolves with null after a login or a refusal by the person, or
 * with the problem of the code.
 */
export async function letIn(client, code) {
  // A question without its style is better than none.
  await styled("styles/phones.css")?.catch(() => {});
  const { say } = words;
  const wrong = element("p.wrong", { role: "alert" });
  const dialog = element("dialog.welcome", { "aria-labelledby": "letin-title" });
  document.body.append(dialog);
  return new Promise((resolve) => {
    const end = (problem) => {
      dialog.close();
      dialog.remove();
      resolve(problem);
    };
    dialog.addEventListener("cancel", () => end(null));
    const open = button("main.wide", null, say("letin.yes"), async () => {
      open.disabled = true;
      try {
        await client.open(code);
        end(null);
      } catch (problem) {
        if (problem.isOffline) {
          open.disabled = false;
          wrong.textContent = problemTexts(problem, words).title;
          open.focus();
        } else {
          end(problem);
        }
      }
    });
    dialog.append(
      element("h2", { id: "letin-title" }, say("letin.title")),
      element("p", {}, say("letin.detail")), wrong, open,
      button("wide", null, say("letin.no"), () => end(null)));
    dialog.showModal();
  });
}
