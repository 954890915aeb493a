// The part of the settings about devices: when each was heard, and what became of its reports.

import { element, redraw } from "../dom.js";

/** The facts about a device's reports, in words. Pure. */
export function reportTexts({ reports, clockShift, speedFactor }, { say }) {
  const texts = [];
  if (clockShift !== undefined) {
    const minutes = Math.max(1, Math.round(Math.abs(clockShift) / 60));
    texts.push(say(clockShift > 0 ? "devices.ahead" : "devices.behind", { count: minutes }));
  }
  if (speedFactor !== undefined) {
    texts.push(say("devices.speed", { percent: Math.round(speedFactor * 100) }));
  }
  if (!reports) return texts;
  const refused = Object.entries(reports.refused);
  const number = refused.reduce((sum, [, count]) => sum + count, 0);
  texts.push(say("devices.received", { count: reports.received }),
    say("devices.accepted", { count: reports.accepted }));
  if (reports.withoutPosition > 0) {
    texts.push(say("devices.withoutPosition", { count: reports.withoutPosition }));
  }
  if (number > 0) {
    const reasons = refused.map(([reason, count]) => `${count} ${say(`refusal.${reason}`)}`);
    texts.push(say("devices.refused", { count: number, reasons: reasons.join(", ") }));
  }
  return texts;
}

/** Shows the devices that have sent a report. */
export function devices(page, signal) {
  const { client, words } = page;
  const { say } = words;
  const list = element("ul.sessions");

  async function load() {
    try {
      const { items } = await client.get("devices", { limit: 100 }, { signal });
      redraw(list, ...items.map(row));
      if (items.length === 0) redraw(list, element("li", {}, say("devices.none")));
    } catch (problem) {
      if (problem.name === "AbortError" || problem.needsKey) return;
      page.showError(problem);
    }
  }

  function row(device) {
    const { heard } = device;
    const when = heard && say("devices.heard", {
      day: words.localDay(heard), time: words.clock(heard),
    });
    return element("li", { "data-key": device.device ?? "-" },
      element("span.texts", {},
        element("span.title", {}, device.device ?? say("devices.unnamed")),
        element("span.soft", {},
          [when, ...reportTexts(device, words)].filter(Boolean).join(" · ")),
        device.problem && element("span", {}, say("devices.problem"))));
  }

  load();
  return element("div.card", {}, list);
}
