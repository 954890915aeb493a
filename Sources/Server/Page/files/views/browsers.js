// The part of the settings about browsers: those that are logged in, codes for others, and the end
// of a session.

import { element, redraw, setText } from "../dom.js";
import { button } from "./parts.js";

const products = [
  [/\bEdgA?\//, "Edge"], [/\bOPR\//, "Opera"], [/\bSamsungBrowser\//, "Samsung"],
  [/\bFirefox\/|\bFxiOS\//, "Firefox"], [/Chrome\/|\bCriOS\//, "Chrome"], [/\bSafari\//, "Safari"],
];
const systems = [
  [/\biPhone\b/, "iPhone"], [/\biPad\b/, "iPad"], [/\bAndroid\b/, "Android"],
  [/\bWindows\b/, "Windows"], [/\bMac OS X\b/, "Mac"], [/\bCrOS\b/, "Chromebook"],
  [/\bLinux\b/, "Linux"],
];

/** A browser's name and system, from what it says about itself: `["Firefox", "Linux"]`. */
export function browserName(agent) {
  const named = (names) => names.find(([pattern]) => pattern.test(agent))?.[1] ?? null;
  return [named(products), named(systems)];
}

/** The name of a browser in words, from what it says about itself. Pure. */
export function browserText(agent, { say }) {
  const [browser, system] = browserName(agent);
  if (browser && system) return say("browsers.name", { browser, system });
  return browser ?? system ?? say("browsers.unknown");
}

/** Shows the browsers that are logged in, if the server keeps sessions. */
export function browsers(page, signal) {
  const { client, words } = page;
  const { say } = words;
  const list = element("ul.sessions");
  const code = element("p.code", { role: "status" });

  async function load() {
    try {
      const { items } = await client.get("sessions", { limit: 200 }, { signal });
      redraw(list, ...items.map(row));
    } catch (problem) {
      // A store keeps no sessions.
      if (problem.name === "AbortError" || problem.needsKey) return;
      if (problem.slug === "not-served") invite.remove();
      else page.showError(problem);
    }
  }

  function row({ id, browser, address, used, isThis }) {
    const name = browserText(browser, words);
    const when = say("browsers.used", { day: words.localDay(used) });
    const end = async () => {
      try {
        await client.send("DELETE", `sessions/${encodeURIComponent(id)}`);
        item.remove();
        list.parentElement?.focus();
      } catch (problem) {
        page.showError(problem);
      }
    };
    const item = element("li", { "data-key": id },
      element("span.texts", {}, element("span.title", {}, isThis ? say("browsers.this") : name),
        element("span.soft", {}, [isThis && name, address, when].filter(Boolean).join(" · "))),
      !isThis && element("button.button.small", {
        type: "button", onclick: end, "aria-label": say("browsers.endNamed", { name }),
      }, say("browsers.end")));
    return item;
  }

  const invite = button("small", null, say("browsers.invite"), async () => {
    try {
      const made = await client.send("POST", "codes");
      const text = made.code.replace(/(.{4})(?=.)/g, "$1-");
      setText(code, say("browsers.code", { code: text, time: words.clock(made.expires) }));
    } catch (problem) {
      page.showError(problem);
    }
  });
  const leave = button("small", null, say("browsers.leave"), () =>
    client.logOut().catch((problem) => page.showError(problem)));
  load();
  return element("div.card", { tabindex: -1 }, list, code,
    element("div.pair", {}, leave, invite));
}
