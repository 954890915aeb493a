// Settings: those stored by the server (alerts, pictures of the map), and choices for this page,
// stored by the browser.

import { element, redraw } from "../dom.js";
import { Edits } from "../edits.js";
import { choices, keep, kept } from "../panel/choices.js";
import { languages, unitsFor } from "../words/words.js";
import { browsers } from "./browsers.js";
import { devices } from "./devices.js";
import { choice, labelled, showText, slider, toggle, writtenText } from "./fields.js";
import { problemCard, skeleton } from "./parts.js";
import { phones } from "./phones.js";
import { hasAuthority, trust } from "./trust.js";

const [hour, day, year] = [3600, 86_400, 31_557_600];
const cooldowns = [hour, 6 * hour, day, 7 * day, 30 * day, year];
const leastAges = [0, day, 30 * day, year, 2 * year, 5 * year, 10 * year];

const mergePatch = "application/merge-patch+json";

/** Parses a length to metres: `1.5 km`, `100 m`, `100`; null if invalid. Pure. */
export function meters(value) {
  const [, number, unit] = /^([\d.]+)\s*(km|m)?$/.exec(String(value)) ?? [];
  return number === undefined ? null : Number(number) * (unit === "km" ? 1000 : 1);
}

/** Parses a duration to seconds: `24 h`, `1 d`, `90`; null if invalid. Pure. */
export function seconds(value) {
  const units = { s: 1, min: 60, h: hour, d: day, w: 7 * day, y: year };
  const [, number, unit] = /^([\d.]+)\s*(s|min|h|d|w|y)?$/.exec(String(value)) ?? [];
  return number === undefined ? null : Number(number) * units[unit ?? "s"];
}

/** The two times of quiet hours such as `22:00-07:00`; empty texts if they are off. Pure. */
export function quietHours(value) {
  const match = /^(\d\d:\d\d)-(\d\d:\d\d)$/.exec(String(value));
  return match ? match.slice(1) : ["", ""];
}

/**
 * Formats two times as quiet hours: null (off) if both are empty, undefined if one is. Pure.
 */
export function quietSetting(from, until) {
  if (from && until) return `${from}-${until}`;
  return from || until ? undefined : null;
}

// What is decided at each position that arrives.
const ofPositions = [
  "notificationsEnabled", "proximityRadius", "quietHours", "favoritesOnly", "cooldown",
  "minimumPhotoAge",
];

/** The changes of settings, which outlive the view. */
let edits = null;

function editsOf(page) {
  const { say } = page.words;
  let sent = null;
  edits ??= new Edits({
    send(name, value) {
      sent = name;
      return page.client.send("PATCH", "settings", {
        json: { [name]: value }, type: mergePatch,
      });
    },
    onSettled(problem) {
      showAgain();
      if (!problem) {
        return page.toasts.show(
          say("settings.saved"), ofPositions.includes(sent) ? say("settings.savedDetail") : "");
      }
      if (!edits.isWaiting) return page.showError(problem);
      if (!problem.needsKey) page.toasts.show(say("edits.waiting"), say("edits.waitingDetail"));
    },
  });
  return edits;
}

// Shows the values of the open view again.
let showAgain = () => {};

/** Shows the settings. */
export function settings(pane, place, page, signal) {
  const { words, client } = page;
  const { say } = words;
  const changes = editsOf(page);
  let fields = null;
  let asked = 0;

  async function load() {
    const { version } = changes;
    const number = asked += 1;
    try {
      const { items } = await client.get("settings", { limit: 500 }, { signal });
      // Of responses that overtake each other, the last request's has the newest values.
      if (number !== asked) return;
      if (version !== changes.version) return load();
      changes.know(Object.fromEntries(items.map(({ name, value }) => [name, value])));
      if (fields) show();
      else draw();
    } catch (problem) {
      if (number !== asked || problem.name === "AbortError" || problem.needsKey) return;
      if (problem.isOffline && fields) return;
      fields = null;
      redraw(pane, problemCard(problem, words, start));
    }
  }

  function start() {
    redraw(pane, skeleton(words, 60, 60, 60, 60));
    return load();
  }

  function show() {
    for (const one of fields ?? []) one();
  }

  function draw() {
    const over = (name) => element("h3.over", {}, say(name));
    fields = [];
    const look = lookField(page);
    const units = unitsField(page, show);
    const names = namesField(page);
    redraw(pane, element("h2.hidden-text", {}, say("settings.title")),
      over("settings.alerts"), alertSettings(changes, fields, page),
      over("settings.page"), element("div.card", {}, look, units, names,
        tilesField(changes, fields, page)),
      over("phone.title"), ...networkFields(changes, fields, page), phones(page, signal),
      over("settings.feed"), feed(page),
      over("devices.title"), devices(page, signal),
      over("browsers.title"), browsers(page, signal),
      ...(hasAuthority(page) ? [over("trust.title"), trust(page, signal)] : []),
      over("settings.sources"), element("p.soft", {}, say("settings.sourcesDetail")));
    // Another tab may change the choices.
    addEventListener("storage", () => {
      look.show(page.theme.look);
      units.show(kept("units"));
      names.show(kept("names") === "shown");
      measure(page, show);
    }, { signal });
    show();
  }

  showAgain = show;
  start();
  return {
    settings: load,
    refresh: load,
    close: () => {
      showAgain = () => {};
      page.previewRadius(null);
    },
  };
}

// `fields` receives functions that show the values again.
function alertSettings(edits, fields, page) {
  const { words } = page;
  const { say } = words;
  const radius = () => meters(edits.shown("proximityRadius")) ?? 100;
  const isOn = () => String(edits.shown("notificationsEnabled")) !== "false";
  const isStrict = () => String(edits.shown("favoritesOnly")) === "true";
  const enabled = toggle({
    label: say("settings.enabled"), help: say("settings.enabledDetail"), isOn: isOn(),
    onChange: (value) => edits.change("notificationsEnabled", value),
  });
  const within = slider({
    label: say("settings.within"), help: say("settings.withinDetail"),
    least: 20, most: 500, step: 10, value: radius(),
    text: words.length,
    onInput: page.previewRadius,
    onChange: (value) => edits.change("proximityRadius", `${value} m`),
  });
  const favorites = toggle({
    label: say("settings.favorites"), help: say("settings.favoritesDetail"), isOn: isStrict(),
    onChange: (value) => edits.change("favoritesOnly", value),
  });
  fields.push(() => {
    enabled.show(isOn());
    favorites.show(isStrict());
    if (within.show(radius())) page.previewRadius(radius());
  });
  return element("div.card", {}, enabled, within, quietFields(edits, fields, page), favorites,
    durationField(edits, fields, page, "cooldown", cooldowns),
    durationField(edits, fields, page, "minimumPhotoAge", leastAges),
    clusterField(edits, fields, page),
    edits.shown("language") && languageField(edits, fields, page));
}

// A choice among durations; one that is none of them, set elsewhere, is one more.
function durationField(edits, fields, page, name, values) {
  const { say, duration } = page.words;
  const shown = () => seconds(edits.shown(name));
  if (shown() === null) return null;
  const text = (value) => (value === 0 ? say("settings.anyAge") : duration(value));
  const select = element("select", {
    onchange: () => edits.change(name, `${select.value} s`),
  });
  fields.push(() => {
    const all = [...new Set([...values, shown() ?? values[0]])].sort((a, b) => a - b);
    redraw(select, ...all.map((value) => element("option", { value }, text(value))));
    select.value = shown();
  });
  return labelled(say(`settings.${name}`), select, say(`settings.${name}Detail`));
}

function clusterField(edits, fields, page) {
  const { words } = page;
  const { say } = words;
  const radius = () => meters(edits.shown("clusterRadius")) ?? 15;
  const field = slider({
    label: say("settings.cluster"), help: say("settings.clusterDetail"),
    least: 5, most: 50, step: 1, value: radius(), text: words.length,
    onChange: (value) => edits.change("clusterRadius", `${value} m`),
  });
  fields.push(() => field.show(radius()));
  return field;
}

function quietFields(edits, fields, page) {
  const { say } = page.words;
  const changed = () => {
    const setting = quietSetting(writtenText(from), writtenText(until));
    if (setting !== undefined) edits.change("quietHours", setting);
  };
  const [from, until] = [0, 1].map(() => element("input", { type: "time", onchange: changed }));
  fields.push(() => {
    // Until both times are entered, the setting is as before.
    if (quietSetting(from.value, until.value) === undefined) return;
    quietHours(edits.shown("quietHours")).forEach((time, index) =>
      showText([from, until][index], time));
  });
  return element("div.pair", {},
    labelled(say("settings.quietFrom"), from), labelled(say("settings.quietUntil"), until));
}

function languageField(edits, fields, page) {
  const { say } = page.words;
  const select = element("select", {
    onchange: () => edits.change("language", select.value),
  }, ["auto", ...languages].map((language) => element("option", {
    value: language, lang: language === "auto" ? null : language,
  }, say(`language.${language}`))));
  fields.push(() => select.value = edits.shown("language"));
  return labelled(say("settings.language"), select);
}

function lookField(page) {
  const { say } = page.words;
  return choice({
    label: say("settings.look"), value: page.theme.look,
    options: choices.look.map((look) => [look, say(`settings.${look}`)]),
    onChange: (look) => page.theme.look = look,
  });
}

// Measures in the chosen units. `show` shows the lengths of the open view again.
function measure(page, show) {
  page.words.measureIn(unitsFor(kept("units")));
  show();
  page.drawMap();
}

function unitsField(page, show) {
  const { say } = page.words;
  return choice({
    label: say("settings.units"), value: kept("units"),
    options: choices.units.map((units) => [units, say(`settings.${units}`)]),
    onChange: (units) => {
      keep("units", units);
      measure(page, show);
    },
  });
}

function namesField(page) {
  return toggle({
    label: page.words.say("settings.names"), isOn: kept("names") === "shown",
    onChange: (isOn) => {
      keep("names", isOn ? "shown" : "hidden");
      page.drawMap();
    },
  });
}

function tilesField(edits, fields, page) {
  const { say } = page.words;
  const tiles = element("input", {
    type: "text", inputmode: "url", spellcheck: "false", autocomplete: "off",
    placeholder: "https://…/{z}/{x}/{y}.png",
    onchange: () => edits.change("mapTiles", writtenText(tiles) || null),
  });
  fields.push(() => {
    const value = edits.shown("mapTiles");
    showText(tiles, value && !["off", "none"].includes(value) ? value : "");
  });
  return labelled(say("settings.tiles"), tiles, say("settings.tilesDetail"));
}

// Whether phones of the network may open the page, where the page may decide it.
function networkFields(edits, fields, page) {
  const { say } = page.words;
  if (!page.store.get("status")?.features?.includes("lan")) return [];
  const isOn = () => String(edits.shown("lan")) === "true";
  const field = toggle({
    label: say("settings.lan"), help: say("settings.lanDetail"), isOn: isOn(),
    onChange: (value) => edits.change("lan", value),
  });
  fields.push(() => field.show(isOn()));
  return [element("div.card", {}, field)];
}

function feed(page) {
  const { say } = page.words;
  const address = new URL("feed", location.href.split("#")[0]).href;
  return element("div.card", {},
    element("p.soft", {}, say("settings.feedDetail")),
    element("code", {}, address),
    element("p.soft", {}, say("settings.feedToken")));
}
