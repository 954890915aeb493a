// Replay: the alerts that a recorded track would cause, with the current and with other settings.
// No alert is delivered or stored.

import { path } from "../api.js";
import { element, picture, redraw } from "../dom.js";
import { positionOfPoint } from "../map/me.js";
import { problemCard, skeleton } from "./parts.js";
import { slider } from "./fields.js";

const maximumBytes = 32 * 1024 * 1024;
const settleMilliseconds = 250;

/** The settings to try, as a parameter: those that differ from the current ones, or null. Pure. */
export const settingsToTry = ({ radius, dwell }, inForce) => [
  radius !== inForce.radius && `proximityRadius=${radius}m`,
  dwell !== inForce.dwell && `dwell=${dwell}s`,
].filter(Boolean).join(",") || null;

/** The totals of a response's last run, which has the settings to try. Pure. */
export function sums({ runs }) {
  const days = runs.at(-1)?.days ?? [];
  const visits = days.flatMap((day) => day.visits);
  const told = visits.filter((visit) => visit.fires).length;
  const total = (name) => days.reduce((sum, day) => sum + day[name], 0);
  return {
    visits, told, kept: visits.length - told, meters: total("meters"), fixes: total("fixes"),
  };
}

// The track and settings are kept while other views are shown.
const kept = { file: null, tried: null };

/** Shows the replay of a track. */
export function replay(pane, place, page, signal) {
  const { words, store } = page;
  const { say } = words;
  const inForce = { radius: store.get("status")?.proximityRadius ?? 100, dwell: 0 };
  const tried = kept.tried ?? { ...inForce };
  const result = element("div.stack");
  let request = null;
  let settling = 0;

  const name = element("b", {}, kept.file?.name ?? say("replay.file"));
  const input = element("input", {
    type: "file", "aria-label": say("replay.file"), onchange: () => choose(input.files[0]),
    accept: ".gpx,.kml,.json,.geojson,.ndjson,.csv,.nmea,.log,.txt,.rec",
  });
  const drop = element("label.drop", {
    ondragover: (event) => event.preventDefault(),
    ondrop: (event) => {
      event.preventDefault();
      choose(event.dataTransfer.files[0]);
    },
  }, input, name, element("span", {}, say("replay.formats")));
  const card = element("div.card", {},
    slider({
      label: say("replay.within"), least: 20, most: 500, step: 10, value: tried.radius,
      text: (meters) => words.length(meters), onInput: (radius) => change({ radius }),
    }),
    slider({
      label: say("replay.staying"), least: 0, most: 120, step: 5, value: tried.dwell,
      text: (seconds) => seconds > 0 ? say("unit.seconds", { value: seconds })
        : say("replay.atOnce"),
      onInput: (dwell) => change({ dwell }),
    }));
  card.hidden = !kept.file;

  function choose(file) {
    if (!file) return;
    kept.file = file;
    name.textContent = file.name;
    card.hidden = false;
    run({ isNew: true });
  }

  function change(values) {
    kept.tried = Object.assign(tried, values);
    clearTimeout(settling);
    settling = setTimeout(() => run({ isNew: false }), settleMilliseconds);
  }

  async function run({ isNew }) {
    if (kept.file.size > maximumBytes) {
      return fail({ slug: "too-long", ownDetail: say("replay.tooLongDetail") });
    }
    request?.abort();
    request = new AbortController();
    if (isNew) redraw(result, skeleton(words, 70, 80, 80));
    try {
      const answer = await page.client.send("POST",
        path("replays", { set: settingsToTry(tried, inForce) }), {
          body: kept.file, signal: AbortSignal.any([signal, request.signal]),
        });
      draw(answer, isNew);
    } catch (problem) {
      if (problem.name !== "AbortError" && problem.status !== 401) fail(problem);
    }
  }

  function fail(problem) {
    page.showTrack([]);
    redraw(result, problemCard(problem, words, kept.file && (() => run({ isNew: true }))));
  }

  function draw(answer, isNew) {
    const { visits, told, kept: silent, meters, fixes } = sums(answer);
    const sum = (value, text) => element("div", {}, element("b", {}, value), text);
    redraw(result, 
      element("div.card.sums", {},
        sum(words.number(told), say("replay.told")),
        sum(words.number(silent), say("replay.kept")),
        sum(words.distance(meters), say("replay.length")),
        sum(words.number(fixes), say("replay.fixes"))),
      visits.length > 0
        ? element("ol.line", { "aria-label": say("replay.visits") },
          visits.map((visit) => item(visit, page)))
        : element("p.soft", {}, say("replay.none")));
    page.showTrack(answer.track.map(positionOfPoint));
    if (isNew && answer.track.length > 0) page.map.fit(boxOfTrack(answer.track));
  }

  redraw(pane, element("h2.hidden-text", {}, say("replay.title")),
    element("p.soft", {}, say("replay.intro")), drop, card, result);
  if (kept.file) run({ isNew: true });
  return {
    close() {
      clearTimeout(settling);
      page.showTrack([]);
    },
  };
}

function boxOfTrack(track) {
  const latitudes = track.map(([latitude]) => latitude);
  const longitudes = track.map(([, longitude]) => longitude);
  const least = (values) => values.reduce((a, b) => Math.min(a, b));
  const most = (values) => values.reduce((a, b) => Math.max(a, b));
  return [least(latitudes), least(longitudes), most(latitudes), most(longitudes)];
}

function item(visit, page) {
  const { say, sayKind, place, photos, distance, clock } = page.words;
  const { spot } = visit;
  const title = visit.fires ? say("reason.notify") : sayKind("reason", visit.decision);
  const texts = [
    clock(visit.entered),
    visit.distance != null && say("replay.away", { distance: distance(visit.distance) }),
    spot.photoCount != null && photos(spot.photoCount),
  ].filter(Boolean).reduce((first, second) => say("list.two", { first, second }));
  return element(`li${visit.fires ? ".fires" : ""}`, {}, element("button.row", {
    type: "button",
    onclick: () => page.map.fly({
      latitude: spot.latitude, longitude: spot.longitude, zoom: 16.5,
    }),
  }, picture(spot.cover, { size: 256 }), element("span.texts", {},
    element("span.title", {}, title),
    element("span.soft", {}, place(spot)),
    element("span.soft", {}, texts))));
}
