// The sentences of problems in the page's languages, messages, and the redrawing of views.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { Problem } from "../../../../Sources/Server/Page/files/api.js";
import { isAlike } from "../../../../Sources/Server/Page/files/panel/toasts.js";
import { problemTexts } from "../../../../Sources/Server/Page/files/views/parts.js";
import english from "../../../../Sources/Server/Page/files/words/en.js";
import spanish from "../../../../Sources/Server/Page/files/words/es.js";
import { speech } from "../../../../Sources/Server/Page/files/words/speech.js";

const read = (path) => readFileSync(new URL(`../../../../Sources/${path}`, import.meta.url), "utf8");
const tables = { en: english, es: spanish };

/** The types of problems that the server knows. */
function kinds() {
  const source = read("Server/SpotService/Messages/Problem.swift");
  const body = /enum Kind: String[^{]*\{([\s\S]*?)\n    \/\/\/ The HTTP status code/.exec(source)[1];
  const found = [...body.matchAll(/^ {4}case (\w+)(?: = "([\w-]+)")?$/gm)];
  return found.map(([, name, value]) => value ?? name);
}

test("every type of problem that the server knows has a title and a remedy in every language", () => {
  const all = [...kinds(), "offline", "other", "no-such-place"];
  assert.ok(all.includes("bad-parameter") && all.includes("expired") && all.length > 22);
  for (const [language, table] of Object.entries(tables)) {
    for (const kind of all) {
      for (const name of [`problem.${kind}`, `remedy.${kind}`]) {
        assert.ok(table[name], `${language} lacks ${name}`);
      }
    }
  }
});

test("a Spanish page says nothing in the server's English", () => {
  const es = speech(spanish, "es-ES");
  for (const kind of [...kinds(), "unheard-of"]) {
    for (const parameter of [null, "radius"]) {
      const { title, detail } = problemTexts(new Problem({
        type: `/problems/${kind}`, title: "An English title", status: 400,
        detail: "An English sentence.", parameter,
      }), es);
      assert.ok(title && detail, kind);
      assert.doesNotMatch(title + detail, /English|\{|undefined/, kind);
    }
  }
  const named = problemTexts(new Problem({ type: "/problems/bad-setting", parameter: "mapTiles" }), es);
  assert.equal(named.detail, "Este valor no se admite aquí.");
  const own = problemTexts({ slug: "too-long", ownDetail: "Una frase." }, es);
  assert.equal(own.detail, "Una frase.");
});

test("an English page says the server's sentence, which says more, if there is one", () => {
  const en = speech(english, "en-GB");
  const texts = (members) => problemTexts(new Problem(members), en);
  assert.deepEqual(texts({ type: "/problems/index-damaged", title: "T", detail: "It is cut off." }),
    { title: "PhotoSpots’ list of photos is damaged", detail: "It is cut off." });
  assert.deepEqual(texts({ type: "/problems/busy" }),
    { title: "PhotoSpots is busy", detail: "Try again in a moment." });
  assert.deepEqual(texts({ type: "/problems/new", title: "Something new", detail: "D" }),
    { title: "Something new", detail: "D" });
  assert.equal(texts({}).title, "Something went wrong");
});

test("alerts and the page name the directions with the same words", () => {
  const source = read("Positions/SpotAlerts/Words/AlertWords+Spanish.swift");
  const list = /"norte",[^\]]*/.exec(source)[0];
  const alerts = [...list.matchAll(/"([a-z]+)"/g)].map(([, word]) => word).slice(0, 8);
  const page = alerts.map((_, index) => spanish[`compass.${index}`].replace(/^al /, ""));
  assert.deepEqual(page, alerts);
});

test("no two tabs or titles of a language have the same words for different things", () => {
  for (const table of Object.values(tables)) {
    const first = (name) => table[name].split(" ")[0];
    assert.notEqual(first("tab.replay"), first("again.open"));
    assert.notEqual(first("replay.title"), first("again.open"));
  }
});

test("equal messages are one, but not those with actions", () => {
  const one = { title: "PhotoSpots does not answer", detail: "Is it still running?" };
  assert.ok(isAlike(one, { ...one }));
  assert.ok(!isAlike(one, { ...one, detail: "" }));
  assert.ok(!isAlike({ ...one, action: () => {} }, { ...one, action: () => {} }));
});

test("views are redrawn by `redraw` and `reconcile`, which keep the focus", () => {
  const files = new URL("../../../../Sources/Server/Page/files/", import.meta.url);
  for (const name of readdirSync(files, { recursive: true })) {
    if (!name.endsWith(".js") || name === "dom.js") continue;
    const text = readFileSync(new URL(name, files), "utf8");
    assert.doesNotMatch(text, /\.(?:replaceChildren|replaceWith|innerHTML|outerHTML)\b/, name);
  }
});
