// The part of the settings about the certificate of the machine's own authority: how a phone comes
// to trust it.

import { element, setText } from "../dom.js";

const svgNamespace = "http://www.w3.org/2000/svg";

/** Whether the server has an authority of its own. */
export const hasAuthority = ({ store }) =>
  store.get("status")?.features?.includes("authority") ?? false;

/** The first 16 digits of a fingerprint, in groups of four. Pure. */
export const shortFingerprint = (digits) => digits.slice(0, 16).replace(/(.{4})(?=.)/g, "$1 ");

function drawing(name) {
  const node = document.createElementNS(svgNamespace, "svg");
  node.setAttribute("viewBox", "0 0 120 150");
  node.setAttribute("aria-hidden", "true");
  const use = document.createElementNS(svgNamespace, "use");
  use.setAttribute("href", `trust.svg#${name}`);
  node.append(use);
  return node;
}

/** Shows the steps on a phone, its downloads, and the fingerprint to compare. */
export function trust(page, signal) {
  const { client, words } = page;
  const { say } = words;
  const fingerprint = element("p.soft", { role: "status" });
  const step = (name) => element("li", {}, drawing(name),
    element("div", {}, element("b", {}, say(`trust.${name}`)),
      element("span.soft", {}, say(`trust.${name}Detail`))));
  const download = (path, name) =>
    element("a.button.small", { href: `api/v1/authority/${path}` }, say(name));
  const steps = element("details.trust", {},
    element("summary", {}, say("trust.how")),
    element("p.soft", {}, say("trust.why")),
    element("ol.steps", {}, ["one", "two", "three"].map(step)),
    element("div.pair", {}, download("profile", "trust.iphone"),
      download("certificate", "trust.android")),
    fingerprint, element("p.soft", {}, say("trust.without")));

  steps.addEventListener("toggle", async () => {
    if (!steps.open || fingerprint.textContent) return;
    try {
      const { machine, fingerprint: digits } = await client.get("authority", {}, { signal });
      setText(fingerprint,
        say("trust.compare", { machine, fingerprint: shortFingerprint(digits) }));
    } catch (problem) {
      if (problem.name !== "AbortError" && !problem.needsKey) page.showError(problem);
    }
  });
  return element("div.card", {}, steps);
}
