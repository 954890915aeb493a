// Settings: those stored by the server (alerts, map tiles), and the theme, stored by the browser.

import { element } from "../dom.js";
import { looks } from "../panel/theme.js";
import { languages } from "../words/words.js";
import { choice, labelled, slider, toggle } from "./fields.js";
import { problemCard, skeleton } from "./parts.js";

const mergePatch = "application/merge-patch+json";

/** Parses a length to metres: `1.5 km`, `100 m`, `100`; null if invalid. Pure. */
export function meters(value) {
  const [, number, unit] = /^([\d.]+)\s*(km|m)?$/.exec(String(value)) ?? [];
  return number === undefined ? null : Number(number) * (unit === "km" ? 1000 : 1);
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

/** Shows the settings. */
export function settings(pane, place, page, signal) {
  const { words, client } = page;

  async function load() {
    try {
      const { items } = await client.get("settings", { limit: 500 }, { signal });
      draw(Object.fromEntries(items.map(({ name, value }) => [name, value])));
    } catch (problem) {
      if (problem.name === "AbortError" || problem.status === 401) return;
      pane.replaceChildren(problemCard(problem, words, start));
    }
  }

  function start() {
    pane.replaceChildren(skeleton(words, 60, 60, 60, 60));
    return load();
  }

  function draw(values) {
    const { say } = words;
    const over = (name) => element("h3.over", {}, say(name));
    pane.replaceChildren(element("h2.hidden-text", {}, say("settings.title")),
      over("settings.alerts"), alertSettings(values, page),
      over("settings.page"), pageSettings(values, page),
      over("settings.feed"), feed(page),
      over("settings.sources"), element("p.soft", {}, say("settings.sourcesDetail")));
  }

  start();
  return { close: () => page.previewRadius(null) };
}

// Changes made during a request are sent together after it, so that the last one wins.
let waiting = null;
let isSaving = false;

async function save(page, name, value) {
  const { say } = page.words;
  waiting = { ...waiting, [name]: value };
  if (isSaving) return;
  isSaving = true;
  try {
    while (waiting) {
      const json = waiting;
      waiting = null;
      await page.client.send("PATCH", "settings", { json, type: mergePatch });
    }
    page.toasts.show(say("settings.saved"), say("settings.savedDetail"));
  } catch (problem) {
    page.showError(problem);
  } finally {
    isSaving = false;
  }
}

function alertSettings(values, page) {
  const { words } = page;
  const { say } = words;
  return element("div.card", {},
    toggle({
      label: say("settings.enabled"), help: say("settings.enabledDetail"),
      isOn: String(values.notificationsEnabled) !== "false",
      onChange: (isOn) => save(page, "notificationsEnabled", isOn),
    }),
    slider({
      label: say("settings.within"), help: say("settings.withinDetail"),
      least: 20, most: 500, step: 10, value: meters(values.proximityRadius) ?? 100,
      text: words.length,
      onInput: page.previewRadius,
      onChange: (radius) => save(page, "proximityRadius", `${radius} m`),
    }),
    quietFields(values, page),
    toggle({
      label: say("settings.favorites"), help: say("settings.favoritesDetail"),
      isOn: String(values.favoritesOnly) === "true",
      onChange: (isOn) => save(page, "favoritesOnly", isOn),
    }),
    values.language && languageField(values.language, page));
}

function quietFields(values, page) {
  const { say } = page.words;
  const changed = () => {
    const setting = quietSetting(from.value, until.value);
    if (setting !== undefined) save(page, "quietHours", setting);
  };
  const [first, second] = quietHours(values.quietHours);
  const from = element("input", { type: "time", value: first, onchange: changed });
  const until = element("input", { type: "time", value: second, onchange: changed });
  return element("div.pair", {},
    labelled(say("settings.quietFrom"), from), labelled(say("settings.quietUntil"), until));
}

function languageField(value, page) {
  const { say } = page.words;
  const select = element("select", {
    onchange: () => save(page, "language", select.value),
  }, ["auto", ...languages].map((language) => element("option", {
    value: language, selected: language === value, lang: language === "auto" ? null : language,
  }, say(`language.${language}`))));
  return labelled(say("settings.language"), select);
}

function pageSettings(values, page) {
  const { say } = page.words;
  const isSet = values.mapTiles && !["off", "none"].includes(values.mapTiles);
  const tiles = element("input", {
    type: "text", inputmode: "url", spellcheck: "false", autocomplete: "off",
    placeholder: "https://…/{z}/{x}/{y}.png", value: isSet ? values.mapTiles : "",
    onchange: () => save(page, "mapTiles", tiles.value.trim() || null),
  });
  return element("div.card", {},
    choice({
      label: say("settings.look"), value: page.theme.look,
      options: looks.map((look) => [look, say(`settings.${look}`)]),
      onChange: (look) => page.theme.look = look,
    }),
    labelled(say("settings.tiles"), tiles, say("settings.tilesDetail")));
}

function feed(page) {
  const { say } = page.words;
  const address = new URL("feed", location.href.split("#")[0]).href;
  return element("div.card", {},
    element("p.soft", {}, say("settings.feedDetail")),
    element("code", {}, address),
    element("p.soft", {}, say("settings.feedToken")));
}
