// The part of the settings about phones: those that report their position, and how another one
// comes in.

import { element, redraw, setText } from "../dom.js";
import { labelled } from "./fields.js";
import { openInvitation } from "./lazily.js";
import { button, problemTexts } from "./parts.js";

/** The line below a phone's name. Pure. */
export function useText({ app, used }, now, { say, has, ago }) {
  if (!used) return say("phone.unused");
  const name = has(`phone.${app}`) ? say(`phone.${app}`) : app;
  const time = ago(used, now);
  return name ? say("phone.used", { app: name, ago: time }) : say("phone.usedLast", { ago: time });
}

/** Shows the phones, if the server has any. */
export function phones(page, signal) {
  const { client, words } = page;
  const { say } = words;
  const list = element("ul.sessions");
  // The phone whose name or end is being decided.
  let open = null;

  async function load() {
    try {
      const { items } = await client.get("phones", { limit: 100 }, { signal });
      // A name that is being written stays.
      if (open && items.some(({ id }) => id === open)) return;
      redraw(list, ...items.map(row));
    } catch (problem) {
      // A store has none.
      if (problem.name === "AbortError" || problem.needsKey) return;
      if (problem.slug === "not-served") form.remove();
      else page.showError(problem);
    }
  }

  function row(phone) {
    const { id, name } = phone;
    const more = button("small", null, say("phone.change"), () => {
      const isOpen = open === id;
      open = isOpen ? null : id;
      more.setAttribute("aria-expanded", String(!isOpen));
      if (isOpen) redraw(place);
      else redraw(place, change(phone, done));
    });
    more.setAttribute("aria-label", say("phone.more", { name }));
    more.setAttribute("aria-expanded", "false");
    const place = element("div.change");
    const done = () => {
      open = null;
      more.focus();
      return load();
    };
    return element("li", { "data-key": id },
      element("span.texts", {}, element("span.title", {}, name),
        element("span.soft", {}, useText(phone, page.now(), words))), more, place);
  }

  // The form for a new name, and the end, which is asked about once.
  function change({ id, name }, done) {
    const address = `phones/${encodeURIComponent(id)}`;
    const wrong = element("p.wrong", { role: "alert" });
    const field = element("input", { type: "text", maxlength: 64, required: true, value: name });
    const send = async (method, options) => {
      try {
        await client.send(method, address, options);
        await done();
      } catch (problem) {
        setText(wrong, problemTexts(problem, words).title);
      }
    };
    const ask = element("div.ask", { hidden: true },
      element("p", { role: "status" }),
      button("small.danger", null, say("phone.removeNow"), () => send("DELETE")));
    return element("form", {
      onsubmit: (event) => {
        event.preventDefault();
        send("PATCH", { json: { name: field.value.trim() } });
      },
    }, labelled(say("phone.newName"), field), wrong,
    element("div.actions", {},
      element("button.button.small", { type: "submit" }, say("phone.rename")),
      button("small", null, say("phone.remove"), () => {
        ask.hidden = false;
        setText(ask.querySelector("p"), say("phone.removeAsk", { name }));
        ask.querySelector("button").focus();
      })), ask);
  }

  const wrong = element("p.wrong", { role: "alert" });
  const field = element("input", {
    type: "text", maxlength: 64, required: true, autocomplete: "off",
  });
  const form = element("form", {
    onsubmit: async (event) => {
      event.preventDefault();
      const name = field.value.trim();
      setText(wrong, "");
      try {
        const invitation = await client.send("POST", "codes", { json: { phone: name } });
        field.value = "";
        openInvitation(page, name, invitation);
      } catch (problem) {
        setText(wrong, problemTexts(problem, words).title);
      }
    },
  }, labelled(say("phone.name"), field), wrong,
  element("button.button.main", { type: "submit" }, say("phone.add")));
  for (const name of ["phones", "gap"]) page.news.addEventListener(name, load, { signal });
  load();
  return element("div.card.phones", {}, list, form);
}
