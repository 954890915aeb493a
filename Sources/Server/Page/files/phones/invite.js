// The dialog that lets a phone in: a QR code with the address of the page and a code that works
// once. It waits for the phone, and closes when it came in.

import { element, icon, redraw, setText } from "../dom.js";
import { browserText } from "../views/browsers.js";
import { button } from "../views/parts.js";
import { copyButton, drawn } from "./parts.js";

/** Opens the dialog with the answer to a request for a code of a phone's name. */
export function openInvitation(page, name, invitation) {
  const { client, words } = page;
  const { say } = words;
  const closing = new AbortController();
  const { signal } = closing;
  const dialog = element("dialog.invitation", { "aria-labelledby": "scan-title" });
  const code = element("div.code-place");
  const once = element("p.soft");
  const state = element("span.soft", { role: "status" });
  const copy = element("span");
  let expires = 0;
  let known = null;

  function show(made) {
    const { link, picture, isReachable } = made;
    expires = Date.parse(made.expires);
    redraw(code, ...[
      picture && drawn(picture.path, picture.size, {
        class: "qr", role: "img", "aria-label": say("scan.image"),
      }),
      !isReachable && element("p.unreachable", {}, say("scan.unreachable")),
    ].filter(Boolean));
    redraw(copy, copyButton(words, link, say("scan.copy")));
    setText(state, say("scan.wait"));
    tell();
  }

  function tell() {
    const left = Math.ceil((expires - page.now().getTime()) / 60_000);
    code.toggleAttribute("data-old", left <= 0);
    setText(once, left > 0 ? say("scan.once", { count: left }) : "");
    if (left <= 0) setText(state, say("scan.old"));
  }

  async function again() {
    try {
      show(await client.send("POST", "codes", { json: { phone: name } }));
    } catch (problem) {
      page.showError(problem);
    }
  }

  // The phone came in when there is one of its name that was not there before.
  async function look() {
    const { items } = await client.get("phones", { limit: 100 }, { signal });
    known ??= new Set(items.map(({ id }) => id));
    const phone = items.find((one) => one.name === name && !known.has(one.id));
    if (!phone) return;
    const sessions = await client.get("sessions", { limit: 200 }, { signal });
    const session = sessions.items.find((one) => one.phone === phone.id);
    dialog.close();
    welcome(page, phone, session);
  }

  const attempt = () => look().catch((problem) => {
    if (problem.name !== "AbortError") page.showError(problem);
  });

  const close = element("button.plain-icon", {
    type: "button", "aria-label": say("photo.close"), onclick: () => dialog.close(),
  }, icon("close"));
  dialog.append(
    element("div.ends", {},
      element("h2", { id: "scan-title" }, say("scan.title", { name })), close),
    element("div.scan", {}, code, element("div.field", {},
      element("ol", {}, ["one", "two", "three"].map((step) =>
        element("li", {}, say(`scan.${step}`)))),
      once)),
    element("div.ends", {},
      element("div.actions", {}, copy, button("small.quiet", null, say("scan.new"), again)),
      state));
  show(invitation);
  // After `gap`, events were missed.
  for (const name of ["phones", "gap"]) page.news.addEventListener(name, attempt, { signal });
  const timer = setInterval(tell, 1000);
  document.body.append(dialog);
  page.layers.show(dialog, () => {
    clearInterval(timer);
    closing.abort();
    dialog.remove();
  });
  attempt();
}

// Says which browser came in, so that a stranger who scanned the code is noticed.
function welcome(page, phone, session) {
  const { client, words } = page;
  const { say } = words;
  const who = session
    ? [browserText(session.browser, words), session.address].filter(Boolean).join(" · ") : "";
  page.toasts.show(say("join.done", { name: phone.name }), who, {
    label: say("phone.notMe"),
    action: () => client.send("DELETE", `phones/${phone.id}`)
      .catch((problem) => page.showError(problem)),
  });
}
