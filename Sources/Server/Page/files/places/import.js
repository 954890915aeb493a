// The import of a file of places: a button, and the report of what was read and changed.

import { path } from "../api.js";
import { element, redraw } from "../dom.js";
import { button, problemCard, skeleton } from "../views/parts.js";

const maximumBytes = 32 * 1024 * 1024;

const named = ({ say }, text, names) =>
  names.length > 0 ? say("import.named", { text, names: names.join(", ") }) : text;

/** The counts of a report as a text. Pure. */
export function summary(report, words) {
  const { say, places } = words;
  const counts = ["new", "changed", "kept", "differs", "leftOut", "notRead"]
    .filter((name) => report[name] > 0)
    .map((name) => say(`import.${name}`, { count: report[name] }));
  return named(words, say("import.read", { places: places(report.read) }), counts);
}

/** The lines below the counts. An English page has the server's own words. Pure. */
export function details({ parts, unread, differing, encoding }, words) {
  const { say, sayKind, locale } = words;
  const names = (list) => list.map(({ name }) => name);
  return [
    ...parts.map(({ reason, count, text, examples }) => locale.startsWith("en")
      ? named(words, text, examples)
      : named(words, sayKind("left", reason), [count, ...examples])),
    unread.length > 0 && named(words, say("import.unread"), names(unread)),
    differing.length > 0 && named(words, say("import.differing"), names(differing)),
    encoding && say("import.encoding", { encoding }),
  ].filter(Boolean);
}

/** A button to import a file of places, and its report; `onDone` is called after a change. */
export function importer(page, signal, onDone) {
  const { words, client } = page;
  const { say } = words;
  const report = element("div.stack", { role: "status" });
  const input = element("input", {
    type: "file", hidden: true, onchange: () => {
      const [file] = input.files;
      input.value = "";
      if (file) run(file);
    },
  });

  async function run(file, options = {}) {
    const fail = (problem) =>
      redraw(report, problemCard(problem, words, () => run(file, options)));
    if (file.size > maximumBytes) return fail({ slug: "too-long" });
    redraw(report, skeleton(words, 76));
    try {
      const answer = await client.send("POST", path("places/import", {
        name: file.name, ...options,
      }), { body: file, signal });
      show(answer, file, options);
      if (answer.new + answer.changed > 0) onDone();
    } catch (problem) {
      if (problem.name !== "AbortError" && problem.status !== 401) fail(problem);
    }
  }

  function show(answer, file, options) {
    const again = (name, more) =>
      button("small", null, say(`import.${name}`), () => run(file, { ...options, ...more }));
    redraw(report, element("div.card", {},
      element("b", {}, file.name),
      element("p", {}, summary(answer, words)),
      details(answer, words).map((line) => element("p.soft", {}, line)),
      answer.differs > 0 && again("takeFile", { prefer: "file" }),
      answer.removed > 0 && again("restore", { restore: true })));
  }

  return element("div.stack", {},
    button("wide", null, say("import.open"), () => input.click()), input, report);
}
