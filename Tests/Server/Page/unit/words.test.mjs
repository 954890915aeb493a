// The page's texts are in all languages, and numbers and dates are formatted well.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import english from "../../../../Sources/Server/Page/files/words/en.js";
import spanish from "../../../../Sources/Server/Page/files/words/es.js";
import { speech, unitsOf } from "../../../../Sources/Server/Page/files/words/speech.js";
import { chosen, languages } from "../../../../Sources/Server/Page/files/words/words.js";

const files = new URL("../../../../Sources/Server/Page/files/", import.meta.url);
const tables = { en: english, es: spanish };
const [en, es] = [speech(english, "en-GB"), speech(spanish, "es-ES")];
const sources = readdirSync(files, { recursive: true })
  .filter((name) => name.endsWith(".js") && !/^words\/..\.js$/.test(name))
  .map((name) => ({ name, text: readFileSync(new URL(name, files), "utf8") }));
const html = readFileSync(new URL("index.html", files), "utf8");

test("there is a table for each language", () => {
  assert.deepEqual(Object.keys(tables), languages);
});

for (const [language, table] of Object.entries(tables)) {
  test(`${language} has every text of the other tables, with the same values and plurals`, () => {
    for (const other of Object.values(tables)) {
      for (const [name, entry] of Object.entries(other)) {
        assert.ok(name in table, `${language} lacks ${name}`);
        assert.equal(typeof table[name], typeof entry, name);
        assert.deepEqual(placeholders(table[name]), placeholders(entry), name);
      }
    }
  });
}

function placeholders(entry) {
  const texts = typeof entry === "string" ? [entry] : Object.values(entry);
  return [...new Set(texts.flatMap((text) => text.match(/\{\w+\}/g) ?? []))].sort();
}

test("every used name is in the tables, and every text is used", () => {
  const said = new Set();
  const prefixes = new Set();
  for (const { text } of sources) {
    for (const [, name] of text.matchAll(/"([a-z]\w*(?:\.[\w-]+)+)"/g)) said.add(name);
    for (const name of ["back", "walk", "coordinates", "degrees"]) {
      if (text.includes(`say("${name}"`)) said.add(name);
    }
    for (const [, prefix] of text.matchAll(/say\(`(\w+)\.\$\{/g)) prefixes.add(prefix);
    for (const [, prefix] of text.matchAll(/sayKind\("(\w+)"/g)) prefixes.add(prefix);
  }
  for (const [, name] of html.matchAll(/data-(?:text|label|kind|hint|title)="([^"]+)"/g)) said.add(name);
  const isOfTable = (name) => /^(app|tab|sheet|go|link|map|pin|years|count|unit|nearby|cluster|spot|photo|compare|again|alerts|toast|replay|settings|state|empty|progress|key|places?|collections|keep)\./.test(name);
  for (const name of said) if (isOfTable(name)) assert.ok(name in english, `no words for ${name}`);
  for (const name of Object.keys(english)) {
    assert.ok(said.has(name) || prefixes.has(name.split(".")[0]), `${name} is never said`);
  }
});

test("no text is outside the tables", () => {
  for (const { name, text } of sources) {
    const code = text.replace(/\/\*[\s\S]*?\*\//g, "").replace(/(^|\s)\/\/.*$/gm, "");
    for (const [, literal] of code.matchAll(/"((?:[^"\\\n]|\\.)*)"/g)) {
      assert.ok(!isText(literal), `${name} says “${literal}” itself`);
    }
    for (const [, literal] of code.matchAll(/`((?:[^`\\]|\\.)*)`/g)) {
      assert.ok(!isText(literal.replace(/\$\{[^}]*\}/g, "")), `${name} says “${literal}” itself`);
    }
  }
  const visible = html.replace(/<noscript>.*<\/noscript>|<!--[\s\S]*?-->|<title>.*<\/title>/g, "")
    .replace(/<h1>PhotoSpots<\/h1>/, "");
  assert.deepEqual(visible.match(/>[^<\s][^<]*</g), null);
  assert.deepEqual(visible.match(/ (?:aria-label|title|placeholder|alt)="[^"]+"/g), null);
});

/** Whether a literal is text for people: words with a capital letter, or several words. */
function isText(literal) {
  const allowed = [
    /^(?:[\w.-]+\/)+[\w.+-]+$/, /^\.{0,2}\/[\w./-]+$/, // paths and media types
    /^\(|system-ui|^[MS]\d|^rotate|^translate/, // media queries, fonts, drawings, transforms
    /^(?:[A-Z][a-z]+)+$/, // names of keys and errors: ArrowLeft, AbortError
    /^(?:Content-Type|GET|POST|PUT|PATCH|DELETE|NSEWO?|PSB2|WO|UTC)$/,
    /^https:\/\/…/, /^geo:/, /^div\.|^button|^span|^li|^ul|^ol/, // an example, a link, elements
    /^:hover, :focus-within$|^\.|^\[|^button, a$|^not a file of outlines$|^the outlines are cut off$/,
    /^no words for/, /^2-digit$/, /^#/, /^ \$|^\^/, /^button\.frame$/, /^\w+="/, /^key/,
  ];
  const isWordy = /[A-ZÁÉÍÓÚ]?[a-záéíóúñ]{2,} [a-záéíóúñ]{2,}/.test(literal) || /^[A-ZÁÉÍÓÚ][a-z]/.test(literal);
  return isWordy && !allowed.some((pattern) => pattern.test(literal));
}

test("the language is the browser's first with a table", () => {
  assert.deepEqual(chosen(["fr-FR", "es-MX", "en"]), { language: "es", locale: "es-MX" });
  assert.deepEqual(chosen(["en-US"]), { language: "en", locale: "en-US" });
  assert.deepEqual(chosen(["fr"]), { language: "en", locale: "en" });
});

test("distances are rounded to 5 m, from 100 m to 10 m, and from 1 km to tenths", () => {
  const read = [0, 43, 97, 98, 104, 994, 996, 1234, 9940, 9960, 16_443_000].map(en.distance);
  assert.deepEqual(read, [
    "0 m", "45 m", "95 m", "100 m", "100 m", "990 m", "1.0 km", "1.2 km", "9.9 km", "10 km", "16,443 km",
  ]);
  assert.equal(es.distance(1234), "1,2 km");
});

test("in regions with miles, distances are in feet, and from 1000 ft in miles", () => {
  const us = speech(english, "en-US", "imperial");
  assert.deepEqual([0, 12, 95, 303, 304, 1609, 15_900, 16_100].map(us.distance), [
    "0 ft", "40 ft", "310 ft", "990 ft", "0.2 mi", "1.0 mi", "9.9 mi", "10 mi",
  ]);
  assert.equal(us.walk(95, 130), "310 ft south-east");
  assert.deepEqual([15.24, 304.8, 804.672, 1609.344, 3218.688].map(us.length), [
    "50 ft", "1,000 ft", "0.5 mi", "1 mi", "2 mi",
  ]);
  us.measureIn("metric");
  assert.deepEqual([us.distance(95), us.length(100), us.units], ["95 m", "100 m", "metric"]);
  const units = (...locales) => unitsOf(locales);
  assert.deepEqual([units("en-US"), units("es", "en-US"), units("en-GB", "en-US"), units("en")],
    ["imperial", "imperial", "metric", "metric"]);
  assert.deepEqual([units("es-MX"), units("zh-Hant-TW"), units("es-419", "es-US")],
    ["metric", "metric", "imperial"]);
});

test("days of a search and durations are said in words", () => {
  assert.deepEqual([en.when({ from: 2013, to: 2013 }), en.when({ from: 2010, to: 2013 })],
    ["2013", "2010 – 2013"]);
  assert.equal(en.when({ from: 2013, to: 2013, month: 5 }), "May 2013");
  assert.equal(es.when({ from: 2013, to: 2013, month: 5 }), "mayo de 2013");
  assert.equal(es.month(12), "diciembre");
  assert.deepEqual([3600, 86_400, 7 * 86_400, 31_557_600, 90].map(en.duration),
    ["1 hour", "1 day", "7 days", "1 year", "90 seconds"]);
  assert.equal(es.duration(2 * 31_557_600), "2 años");
});

test("the time left is in seconds, then in minutes", () => {
  assert.deepEqual([0.2, 89.4, 600, 3600].map(en.timeLeft),
    ["About 1 s left", "About 89 s left", "About 10 min left", "About 60 min left"]);
  assert.equal(es.timeLeft(120), "Quedan unos 2 min");
});

test("directions are rounded to eight points", () => {
  assert.equal(en.direction(0), "north");
  assert.equal(en.direction(359), "north");
  assert.equal(en.direction(135), "south-east");
  assert.equal(en.direction(-90), "west");
  assert.equal(en.walk(95, 130), "95 m south-east");
  assert.equal(es.walk(95, 130), "95 m al sureste");
});

test("counts have singular and plural", () => {
  assert.deepEqual([0, 1, 2, 1234].map(en.photos), ["0 photos", "1 photo", "2 photos", "1,234 photos"]);
  assert.equal(es.photos(1_000_000), "1.000.000 fotos");
});

test("a place is named by its title, town or position", () => {
  const position = { latitude: -33.857, longitude: 151.215 };
  assert.equal(en.place({ ...position, title: "Opera", place: { name: "Sydney" } }), "Opera");
  assert.equal(en.place({ ...position, title: null, place: { name: "Sydney" } }), "Sydney");
  assert.equal(en.place(position), "33.85700° S, 151.21500° E");
  const home = (distinction) => ({ ...position, title: "Home", distinction });
  assert.equal(en.place(home({ by: "town", town: "Graz" })), "Home, Graz");
  const way = { by: "way", distance: 1200, bearing: 45 };
  assert.equal(en.place(home(way)), "Home, 1.2 km north-east");
  assert.equal(es.place(home({ ...way, town: "Graz" })), "Home, 1,2 km al noreste de Graz");
  assert.equal(en.place(home({ by: "years", first: 2013, last: 2013 })), "Home, 2013");
  assert.equal(en.place(home({ by: "years", first: 2013, last: 2016 })), "Home, 2013 – 2016");
  assert.equal(en.place(home({ by: "number", number: 2 })), "Home (2)");
  assert.equal(es.place({ latitude: 1, longitude: -2 }), "1,00000° N, 2,00000° O");
});

test("days and years follow the camera's local time", () => {
  assert.equal(en.day("2008-10-22T23:30:00.000-08:00"), "22 October 2008");
  assert.equal(es.day("2008-10-22T00:10:00.000Z"), "22 de octubre de 2008");
  assert.equal(en.day(null), "No date");
  assert.equal(en.years({ firstCaptured: "2008-01-01", lastCaptured: "2021-01-01" }), "2008–2021");
  assert.equal(en.years({ firstCaptured: "2008-01-01", lastCaptured: "2008-05-01" }), "2008");
  assert.equal(en.years({}), "No date");
});

test("elapsed time is given in days, months, then years", () => {
  const now = new Date("2026-11-22T12:00:00Z");
  assert.equal(en.ago("2026-11-22T10:00:00Z", now), "today");
  assert.equal(en.ago("2026-11-12T10:00:00Z", now), "10 days ago");
  assert.equal(en.ago("2026-05-12T10:00:00Z", now), "6 months ago");
  assert.equal(en.ago("2008-10-22T10:00:00Z", now), "18 years ago");
  assert.equal(en.ago(null, now), "No date");
  assert.equal(es.ago("2008-10-22T10:00:00Z", now), "hace 18 años");
});

test("ages are whole units that have passed, not rounded ones", () => {
  const now = new Date(2026, 10, 22, 9);
  const ago = (...date) => en.ago(new Date(...date).toISOString(), now);
  assert.equal(ago(2016, 3, 12), "10 years ago");
  assert.equal(ago(2016, 10, 22, 23), "10 years ago");
  assert.equal(ago(2016, 10, 23), "9 years ago");
  assert.equal(ago(2025, 0, 1), "22 months ago");
  assert.equal(ago(2026, 8, 23), "1 month ago");
  assert.equal(ago(2026, 9, 9), "44 days ago");
  assert.equal(ago(2026, 10, 21, 23), "yesterday");
  assert.equal(ago(2026, 11, 1), "today");
  assert.equal(es.ago(new Date(2016, 3, 12).toISOString(), now), "hace 10 años");
});

test("a distance of 0 m is here and has no direction", () => {
  assert.equal(en.walk(0.4, 315), "here");
  assert.equal(es.walk(2.4, 315), "aquí");
  assert.equal(en.walk(2.6, 315), "5 m north-west");
  assert.deepEqual([0, 95].map(en.away), ["here", "95 m"]);
  // The length of a walk is not a way to go.
  assert.equal(en.distance(0), "0 m");
});

test("a badge abbreviates thousands", () => {
  assert.deepEqual([7, 999, 1234, 9990, 123_456].map(en.badge), ["7", "999", "1.2k", "10k", "123k"]);
});

test("an unknown reason has a general text", () => {
  assert.equal(en.sayKind("reason", "paced"), "Too soon after another");
  assert.equal(en.sayKind("reason", "somethingNew"), "No alert");
  assert.throws(() => en.say("no.such"), /no words/);
});

test("a language creates its formats lazily", () => {
  const made = [];
  const { NumberFormat } = Intl;
  for (const name of ["NumberFormat", "PluralRules", "DateTimeFormat", "RelativeTimeFormat", "ListFormat"]) {
    const Format = Intl[name];
    Intl[name] = class extends Format {
      constructor(...given) {
        super(...given);
        made.push(name);
      }
    };
  }
  const { say, number } = speech(english, "en-GB");
  say("tab.nearby");
  assert.deepEqual(made, []);
  number(5);
  number(6);
  assert.deepEqual(made, ["NumberFormat"]);
  Intl.NumberFormat = NumberFormat;
});
