// The loading of the page's modules.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

const files = new URL("../../../../Sources/Server/Page/files/", import.meta.url);
const html = readFileSync(new URL("index.html", files), "utf8");
const all = (text, pattern) => [...text.matchAll(pattern)].map((match) => match[1]);

/** A module with all modules that it imports statically, directly or not. */
function imported(name, known = new Set()) {
  if (known.has(name)) return known;
  known.add(name);
  const text = readFileSync(new URL(name, files), "utf8");
  for (const path of all(text, /^(?:import|export|\}) .*?from "([^"]+)";$/gm)) {
    imported(new URL(path, new URL(name, files)).href.slice(files.href.length), known);
  }
  return known;
}

test("the document preloads every module needed at the start", () => {
  const started = all(html, /<script type="module" src="([^"]+)"/g);
  assert.deepEqual(started, ["first.js", "app.js"]);
  const needed = new Set(started.flatMap((name) => [...imported(name)]));
  const named = all(html, /<link rel="modulepreload" href="([^"]+)"/g);
  assert.deepEqual([...named, ...started].sort(), [...needed].sort());
});

test("the first requests need only four modules", () => {
  const needed = ["api.js", "first.js", "router.js", "session.js"];
  assert.deepEqual([...imported("first.js")].sort(), needed);
});

// A proxy may serve the page below a path.
test("the app on the home screen opens the page where it was installed from", () => {
  const manifest = JSON.parse(readFileSync(new URL("app.webmanifest", files), "utf8"));
  for (const base of ["https://home.example/", "https://home.example/photos/"]) {
    const at = (path) => new URL(path, `${base}app.webmanifest`).href;
    assert.equal(at(manifest.start_url), base);
    assert.equal(at(manifest.scope), base);
    // Without an id of its own, the address of the start is the id: one app for each page.
    assert.equal(manifest.id, undefined);
    for (const { src } of manifest.icons) assert.ok(at(src).startsWith(base));
  }
});

test("the document refers to nothing outside its folder", () => {
  for (const path of all(html, /(?:href|src)="([^"]+)"/g)) {
    assert.ok(new URL(path, "https://home.example/photos/").href
      .startsWith("https://home.example/photos/"), path);
  }
});
