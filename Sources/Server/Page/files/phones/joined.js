// The first view of a phone that came in: the apps that send its position. The token is known only
// here, and is not shown again.

import { element, icon, setText } from "../dom.js";
import { openTour } from "../views/lazily.js";
import { button } from "../views/parts.js";
import { apps } from "./apps.js";
import { copyButton, drawn } from "./parts.js";

/** Opens the list of apps for a new phone: `{ name, token }`. */
export function openJoined(page, phone) {
  const { words } = page;
  const { say } = words;
  const closing = new AbortController();
  const dialog = element("dialog.welcome", { "aria-labelledby": "join-title" });
  const arrival = element("p.soft", { role: "status" }, say("join.check"));
  const { origin, protocol, hostname } = location;
  const known = { ...phone, base: origin };
  const isPlain = protocol === "http:" && !/^(?:localhost|127\.|\[::1\])/.test(hostname);
  dialog.append(...[
    element("p.done", { role: "status" }, icon("check"), say("join.done", { name: phone.name })),
    element("h2", { id: "join-title", tabindex: -1 }, say("join.which")),
    element("p.soft", {}, say("join.why")),
    isPlain && element("p.unreachable", {}, say("join.plain")),
    element("ul.apps", {}, apps.map((app) => row(app, known, words))),
    element("p.soft", {}, say("join.once")),
    button("wide", null, say("join.later"), () => dialog.close()), arrival,
  ].filter(Boolean));
  page.news.addEventListener("position", ({ detail }) => {
    if (detail.device !== phone.name) return;
    const radius = detail.horizontalAccuracy;
    setText(arrival, radius === undefined
      ? say("join.arrivedAt", { time: words.clock(detail.time) })
      : say("join.arrived", { time: words.clock(detail.time), radius: words.distance(radius) }));
  }, { signal: closing.signal });
  document.body.append(dialog);
  page.layers.show(dialog, () => {
    closing.abort();
    dialog.remove();
    openTour(page);
  });
  dialog.querySelector("h2").focus();
}

function row(app, phone, words) {
  const { say } = words;
  const name = say(`phone.${app.id}`);
  const texts = (line) => element("span.texts", {},
    element("span.title", {}, name), element("span.soft", {}, line));
  if (app.link) {
    return element("li", {},
      element("div.app", {}, texts(say("join.tap")),
        element("a.button.small.main", {
          href: app.link(phone), "aria-label": say("join.setNamed", { name }),
        }, say("join.set"))),
      app.isLocked && element("div.lock", {}, switchPicture(),
        element("p.soft", {}, say(`join.${app.id}`))));
  }
  const more = element("div.typed", { id: `how-${app.id}`, hidden: true },
    element("p.soft", {}, say(`join.${app.id}`)),
    app.fields(phone).map(([field, text]) => element("div.field", {},
      element("div.label", {}, say(`join.${field}`)), element("code", {}, text),
      copyButton(words, text, say("join.copy"),
        say("join.copyNamed", { name: say(`join.${field}`) })))));
  const how = button("small", null, say("join.how"), () => {
    more.hidden = !more.hidden;
    how.setAttribute("aria-expanded", String(!more.hidden));
  });
  how.setAttribute("aria-label", say("join.howNamed", { name }));
  how.setAttribute("aria-expanded", "false");
  how.setAttribute("aria-controls", more.id);
  return element("li", {}, element("div.app", {}, texts(say("join.type")), how), more);
}

// The switch in the app's settings: a phone, lines of text, and the last one's switch turned on.
const switchPicture = () => drawn(
  "M14 4h48v68H14zM22 16h24M22 26h20M22 36h26M20 46h36v18H20zM26 55h8M40 55a4 4 0 1 0 8 0 4 4 0 1 0"
    + "-8 0", 76, { class: "switch-picture", "aria-hidden": true });
