// An empty library: the folders of photos on the server's machine, the progress of the scan that
// the person starts, and what it found.

import { element, icon, picture, redraw, setText } from "../dom.js";
import { openTour, styled } from "./lazily.js";
import { button, problemCard, skeleton } from "./parts.js";

const pollMilliseconds = 1000;
const speechMilliseconds = 5000;
const newest = 6;

/** The name of a folder with what tells it apart: its path if the browser may know it. Pure. */
export const folderName = ({ name, path }, say) => path
  ?? name.reduce((first, second) => say("list.two", { first, second }));

/** The number of photos of a folder, in words. Pure. */
export const folderCount = ({ photos, isWhole, isReadable }, words) => !isReadable
  ? words.say("empty.unreadable")
  : isWhole ? words.photos(photos) : words.say("empty.more", { photos: words.photos(photos) });

/** The label of the button that starts, for chosen folders and a typed path. Pure. */
export function startLabel(folders, path, { say }) {
  if (path) return say("empty.startOther");
  return say("empty.start", { count: folders.reduce((sum, { photos }) => sum + photos, 0) });
}

/** The steps that apply after a scan: `[{ kind, title, detail }]`. Pure. */
export function nextSteps({ result, spots, near }, { say, number }) {
  const steps = [];
  if (result?.withoutPosition > 0) {
    steps.push({
      kind: "without",
      title: say("result.without", { count: result.withoutPosition }),
      detail: say("result.withoutDetail"),
    });
  }
  if (result?.unread > 0) {
    steps.push({
      kind: "unread", title: say("result.unread", { count: result.unread }),
      detail: say("result.unreadDetail"),
    });
  }
  steps.push({ kind: "phone", title: say("result.phone"), detail: say("result.phoneDetail") });
  if (spots > 0 && near > 0) {
    steps.push({
      kind: "again", title: say("result.again"),
      detail: say("result.againDetail", { count: near, number: number(near) }),
    });
  }
  return steps;
}

/**
 * Shows the folders of photos, or the scan that runs. `onDone` is called when the person goes on to
 * the map.
 *
 * It returns `isOpen`, `isChoosing` before a scan is started, `refresh` for a change of the index,
 * and `close`.
 */
export function openFolders(pane, page, outer, onDone) {
  const { words, client, store } = page;
  const { say } = words;
  const view = { isOpen: true, isChoosing: true, refresh, close };
  const controller = new AbortController();
  const { signal } = controller;
  let polling = 0;
  // Whether the scan was started here, and not by the server.
  let isOwn = false;
  let parts = null;
  let spoken = 0;

  function close() {
    view.isOpen = false;
    clearTimeout(polling);
    controller.abort();
  }

  const heading = (text) => element("h2.first-title", { tabindex: -1 }, text);

  function show(...content) {
    if (view.isOpen) redraw(pane, element("div.stack.first", {}, ...content));
  }

  function fail(problem, again) {
    if (problem.name === "AbortError" || problem.needsKey || !view.isOpen) return;
    if (problem.slug === "not-served") return sendElsewhere();
    redraw(pane, problemCard(problem, words, again));
  }

  function sendElsewhere() {
    show(heading(say("empty.title")), element("p.soft", {}, say("empty.detail")),
      element("p.soft", {}, say("empty.ask")));
  }

  // ---- The choice of folders.

  async function choose() {
    view.isChoosing = true;
    redraw(pane, skeleton(words, 60, 60, 60));
    try {
      await styled("styles/folders.css");
      const state = await client.get("indexing", {}, { signal });
      if (state.isRunning) return find();
      if (state.isStopped) return showResult(state);
      showChoice(await client.get("folders", {}, { signal }));
    } catch (problem) {
      fail(problem, choose);
    }
  }

  function showChoice({ isLocal, items }) {
    const chosen = new Set(items.filter(({ isReadable }) => isReadable));
    const path = element("input.text", {
      type: "text", autocomplete: "off", spellcheck: "false", oninput: update,
      "aria-label": say("empty.other"), placeholder: "/",
    });
    const warning = element("p.warning", { role: "alert" });
    const start = button("main.wide", "check", "", async () => {
      start.disabled = true;
      try {
        const typed = path.value.trim();
        await client.send("POST", "indexing", { json: {
          folders: [...chosen].map(({ id }) => id), path: typed || null,
        } });
        isOwn = true;
        find();
      } catch (problem) {
        if (problem.needsKey) return;
        const isPath = problem.parameter === "path";
        setText(warning, isPath ? say("empty.wrongPath") : say(
          problem.isOffline ? "problem.offline" : "empty.unreadable"));
        start.disabled = false;
        if (isPath) path.focus();
      }
    });

    function update() {
      const typed = path.value.trim();
      setText(start.lastChild, startLabel([...chosen], typed, words));
      start.disabled = chosen.size === 0 && !typed;
    }

    const rows = items.map((folder) => {
      const name = folderName(folder, say);
      const count = folderCount(folder, words);
      const box = element("input", {
        type: "checkbox", checked: folder.isReadable, disabled: !folder.isReadable,
        "aria-label": say("list.comma", { first: name, second: count }),
        onchange: () => {
          if (box.checked) chosen.add(folder);
          else chosen.delete(folder);
          update();
        },
      });
      return element("li", {}, element("label.check", {}, element("span.texts", {},
        element("span.title", {}, name), element("span.soft", {}, count)), box));
    });
    start.append(element("span"));
    show(heading(say("empty.title")), element("p.soft", {}, say("empty.detail")),
      rows.length > 0 && element("h3.over", {}, say("empty.found")),
      rows.length > 0 && element("ul.list.checks", { "aria-label": say("empty.found") }, rows),
      isLocal && element("label.field", {},
        element("span.over", { "aria-hidden": true }, say("empty.other")), path, warning),
      (rows.length > 0 || isLocal) && element("div.stand", {}, start),
      rows.length === 0 && element("p.soft", {}, say("empty.ask")));
    update();
  }

  // ---- The scan.

  function find() {
    view.isChoosing = false;
    const title = say("progress.title");
    parts = {
      count: element("span.first-count"), of: element("span.soft"),
      bar: element("i"), status: element("p.soft", { role: "status" }),
      sums: element("dl.sums"), found: element("div.stack"),
    };
    parts.meter = element("div.meterbar", {
      role: "progressbar", "aria-label": title, "aria-valuemin": 0, "aria-valuemax": 100,
    }, parts.bar);
    const stop = button("", "close", say("progress.stop"), async () => {
      stop.disabled = true;
      try {
        await client.send("DELETE", "indexing");
        poll();
      } catch (problem) {
        stop.disabled = false;
        page.showError(problem);
      }
    });
    const head = heading(title);
    show(head, element("div.between.finding", {}, parts.count, parts.of), parts.meter,
      parts.status, parts.sums, parts.found,
      element("div.stand", {}, stop, element("span.soft", {}, say("progress.keep"))));
    head.focus({ preventScroll: true });
    showFound();
    poll();
  }

  async function poll() {
    clearTimeout(polling);
    try {
      const state = await client.get("indexing", {}, { signal });
      if (!view.isOpen) return;
      if (!state.isRunning) return showResult(state);
      showProgress(state);
    } catch (problem) {
      if (problem.name === "AbortError" || problem.needsKey) return;
      // The scan goes on while the page is offline.
    }
    polling = setTimeout(poll, pollMilliseconds);
  }

  function showProgress({ scanned, total, found, located, folder, secondsLeft }) {
    const { number } = words;
    const percent = total > 0 ? Math.round((100 * scanned) / total) : 0;
    setText(parts.count, number(total > 0 ? scanned : found));
    setText(parts.of, total > 0 ? say("progress.of", { count: total }) : say("progress.listed"));
    parts.bar.style.width = `${percent}%`;
    if (total > 0) parts.meter.setAttribute("aria-valuenow", String(percent));
    const spots = store.get("status")?.spots ?? 0;
    redraw(parts.sums, ...[
      ["progress.located", located], ["progress.spots", spots],
      ["progress.without", scanned - located],
    ].map(([name, count]) => element("div", {},
      element("dd", {}, number(count)), element("dt", {}, say(name)))));
    // A screen reader hears of it now and then.
    if (Date.now() - spoken < speechMilliseconds || secondsLeft == null) return;
    spoken = Date.now();
    const left = words.timeLeft(secondsLeft);
    setText(parts.status, folder ? say("list.two", { first: left, second: folder }) : left);
  }

  // The index is saved now and then during a scan.
  async function showFound() {
    if (!(store.get("status")?.spots > 0)) return;
    try {
      const { items } = await client.get("spots", { limit: newest }, { signal });
      const title = say("progress.so");
      redraw(parts.found, element("h3.over", {}, title),
        element("ul.grid", { "aria-label": title }, items.map((spot) => element("li", {},
          picture(spot.cover, { size: 256, alt: words.place(spot) })))));
    } catch (problem) {
      if (!(problem.status >= 0)) throw problem;
    }
  }

  function refresh() {
    if (parts?.found.isConnected) return showFound();
  }

  // ---- What it found.

  async function showResult({ isStopped, result }) {
    clearTimeout(polling);
    view.isChoosing = false;
    if (!isStopped && !result) {
      return fail({ slug: "other" }, choose);
    }
    // The server scans known folders by itself too, as at its start. If they are empty, the choice
    // of others remains.
    if (!isOwn && !isStopped && result.files === 0) return choose();
    try {
      const status = await client.get("status", {}, { signal });
      store.set({ status });
      const origin = store.get("origin");
      const near = origin && status.spots > 0
        ? (await client.get("spots", {
          near: `${origin.latitude},${origin.longitude}`, radius: 5000, limit: 1,
        }, { signal })).total : 0;
      fillResult(status, { isStopped, result, near });
    } catch (problem) {
      fail(problem, () => showResult({ isStopped, result }));
    }
  }

  function fillResult({ photos, spots, years }, { isStopped, result, near }) {
    const known = Object.keys(years ?? {}).sort();
    const title = heading(photos > 0
      ? say("result.title", { photos: words.photos(photos), spots: words.spots(spots) })
      : say(isStopped ? "result.stopped" : "result.none"));
    const steps = nextSteps({ result, spots, near }, words).map(({ kind, title: name, detail }) => {
      const texts = element("span.texts", {},
        element("span.title", {}, name), element("span.soft", {}, detail));
      const actions = {
        phone: ["phone", () => page.go({ view: "settings" })], again: ["again", done],
      };
      const [drawing, onclick] = actions[kind] ?? [];
      return element("li", {}, onclick
        ? element("button.next-step", { type: "button", onclick },
          icon(drawing), texts, icon("next"))
        : element("div.next-step", {}, icon("clock"), texts));
    });
    const go = button("main.wide", "place", say("result.map"), done);
    const on = button("wide", "again", say("progress.on"), async () => {
      try {
        await client.send("POST", "indexing", { json: {} });
        isOwn = true;
        find();
      } catch (problem) {
        page.showError(problem);
      }
    });
    const label = say("result.next");
    show(title,
      known.length > 0 && element("p.soft", {},
        known.length > 1 ? say("result.detail", { from: known[0], to: known.at(-1) })
          : say("result.detailOne", { year: known[0] })),
      element("h3.over", {}, label), element("ul.list.spaced", { "aria-label": label }, steps),
      element("div.stand", {}, isStopped && on, photos > 0 && go));
    title.focus({ preventScroll: true });
  }

  function done() {
    close();
    onDone();
    openTour(page);
  }

  outer.addEventListener("abort", close);
  choose();
  return view;
}
