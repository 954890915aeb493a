// The list of alerts by day: each with its receivers, or the reason for silence, and its actions.

import { about, byDay, outcomes, remarks } from "../alerts.js";
import { element, icon, picture, redraw } from "../dom.js";
import { viewOf } from "../router.js";
import { canTakeAgain } from "./lazily.js";
import { button, empty, problemCard, skeleton } from "./parts.js";

const answerMilliseconds = 86_400_000;

/** Shows the list of alerts. */
export function alerts(pane, place, page, signal) {
  const { words, store } = page;
  const { say } = words;

  function draw() {
    page.seen();
    const problem = store.get("alertsProblem");
    const known = store.get("alerts");
    if (!known && problem) {
      return redraw(pane, problemCard(problem, words, () => page.loadAlerts({ signal })));
    }
    if (!known) return redraw(pane, skeleton(words, 100, 100, 100));
    if (known.length === 0) {
      return redraw(pane, empty("bell", say("alerts.none"), say("alerts.noneDetail"),
        button("small", "phone", say("alerts.connect"), () => page.go({ view: "settings" }))));
    }
    const more = store.get("alertsNext")
      && button("wide", null, say("alerts.more"), () => page.loadMoreAlerts());
    redraw(pane, element("h2.hidden-text", {}, say("alerts.title")),
      ...byDay(known, words.localDay).flatMap(({ day, alerts: those }) => [
        element("h3.over", {}, day),
        element("ul.list.spaced", { "aria-label": day }, those.map((one) => card(one, page))),
      ]), ...(more ? [more] : []));
  }

  draw();
  return { alerts: draw };
}

function card(alert, page) {
  const { words } = page;
  const { say, place, years, walk, clock } = words;
  const { spot } = alert;
  // If the index no longer has the spot, only its place is known.
  const isGone = spot.photoCount == null;
  const title = isGone || spot.years === undefined ? place(spot)
    : say("alerts.item", { place: place(spot), years: years(spot) });
  const details = [
    clock(alert.time),
    alert.distance != null && walk(alert.distance, alert.bearing ?? 0),
    isGone ? say("alerts.gone") : about(spot, words)[0],
  ].filter(Boolean).reduce((first, second) => say("list.two", { first, second }));
  const chips = [
    ...remarks(alert, words).map((text) => element("span.chip.warm", {}, text)),
    ...outcomes(alert, words).map(({ text, isDone }) =>
      element("span.chip", {}, isDone && icon("check"), text)),
  ];
  const isFresh = page.store.get("fresh").has(alert.id);
  return element("li", { "data-key": alert.id }, element(`button.alert${isFresh ? ".fresh" : ""}`, {
    type: "button",
    onclick: () => page.go(viewOf(spot.id)),
    disabled: isGone,
  }, picture(spot.cover, { size: 256 }), element("span.texts", {},
    element("span.title", {}, title),
    element("span.soft", {}, details),
    chips.length > 0 && element("span.chips", {}, chips))),
  ...isAnswerable(alert, page.now()) ? [answers(alert, page)] : []);
}

/** Whether an alert has buttons: it fired in the last 24 h, and its spot exists unmuted. Pure. */
export const isAnswerable = ({ kind, time, spot }, now) => kind === "notified"
  && spot.photoCount != null && !spot.muted && now - Date.parse(time) < answerMilliseconds;

// The same buttons as those of the alert on a phone: take it again, mute, and not now.
function answers(alert, page) {
  const { say, place } = page.words;
  const { id } = alert.spot;
  async function mute(until, title, detail) {
    try {
      await page.client.send("PUT", `mutes/${encodeURIComponent(id)}`, {
        json: until ? { until } : {},
      });
      row.previousElementSibling.focus({ preventScroll: true });
      row.remove();
      page.toasts.show(say(title), say(detail, { place: place(alert.spot) }));
      page.loadAlerts();
    } catch (problem) {
      page.showError(problem);
    }
  }
  const tomorrow = () =>
    new Date(Date.parse(alert.time) + answerMilliseconds).toISOString();
  const row = element("div.actions", {}, [
    canTakeAgain(page) && alert.spot.photoCount > 0 && button("small", "camera", say("again.open"),
      () => page.go({ view: "spot", id, isAgain: true })),
    button("small", "mute", say("alerts.mute"),
      () => mute(null, "spot.muted", "spot.mutedDetail")),
    button("small", null, say("alerts.notNow"),
      () => mute(tomorrow(), "spot.muted", "alerts.notNowDetail")),
  ].filter(Boolean));
  return row;
}
