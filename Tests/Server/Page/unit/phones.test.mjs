// Phones: the links that configure apps, the words about them, and how one comes in.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { Client } from "../../../../Sources/Server/Page/files/api.js";
import { apps } from "../../../../Sources/Server/Page/files/phones/apps.js";
import { readAddress } from "../../../../Sources/Server/Page/files/router.js";
import { Session, loginOf } from "../../../../Sources/Server/Page/files/session.js";
import { useText } from "../../../../Sources/Server/Page/files/views/phones.js";
import english from "../../../../Sources/Server/Page/files/words/en.js";
import spanish from "../../../../Sources/Server/Page/files/words/es.js";
import { speech } from "../../../../Sources/Server/Page/files/words/speech.js";

// Made by a script in Python that was written from the apps' code, not from this page.
const golden = JSON.parse(readFileSync(new URL("../vectors/app-links.json", import.meta.url), "utf8"));

test("the links and lines of apps are those of an independent implementation", () => {
  assert.ok(golden.length > 2);
  for (const row of golden) {
    const { base, name, token } = row;
    for (const { id, link, fields } of apps) {
      if (id === "other") continue;
      const made = link?.({ base, name, token }) ?? fields({ base, name, token }).map(([, text]) => text);
      assert.deepEqual(made, row[id], `${id} of ${name}`);
    }
  }
});

test("every app has a name and its words in every language", () => {
  const phone = { base: "https://a", name: "b", token: "c" };
  for (const table of [english, spanish]) {
    for (const { id, isLocked, fields } of apps) {
      assert.ok(table[`phone.${id}`], id);
      if (isLocked || fields) assert.ok(table[`join.${id}`], id);
      for (const [field] of fields?.(phone) ?? []) assert.ok(table[`join.${field}`], field);
    }
  }
  const other = apps.find(({ id }) => id === "other").fields(phone);
  assert.deepEqual(other.map(([, text]) => text), ["https://a/feed/c", "c"]);
});

test("the link of a phone is known from other links with a code, and can be entered too", () => {
  const link = "https://photos:8090/#pair=K7Q2MX9RT4HD&phone";
  assert.deepEqual(readAddress(new URL(link).hash), { key: "K7Q2MX9RT4HD", isPhone: true });
  assert.deepEqual(readAddress("#pair=K7Q2MX9RT4HD"), { key: "K7Q2MX9RT4HD" });
  assert.deepEqual(loginOf(link), { code: "K7Q2MX9RT4HD" });
  assert.deepEqual(loginOf(` ${link} `), { code: "K7Q2MX9RT4HD" });
});

test("a login tells the phone that it added, before others hear of the login", async () => {
  const phone = { id: "1", name: "Anna", token: "t" };
  const answers = [{ token: "a", phone }, { token: "b" }];
  const session = new Session({ tokens: null });
  const client = new Client({
    session, fetch: async () => new Response(JSON.stringify(answers.shift()), { status: 200 }),
  });
  session.refused(session.turn, null);
  const seen = [];
  session.onOpen = () => seen.push(client.phone);
  await client.open("K7Q2MX9RT4HD");
  assert.deepEqual(seen, [phone]);
  await client.open("K7Q2MX9RT4HE");
  assert.equal(client.phone, null);
});

test("a phone's use is in words, also with an app without a name", () => {
  const en = speech(english, "en-GB");
  const now = new Date("2026-11-22T12:00:00Z");
  const used = "2026-11-21T10:00:00Z";
  assert.equal(useText({ app: "owntracks", used }, now, en), "OwnTracks, last used yesterday");
  assert.equal(useText({ app: "geojson", used }, now, en), "geojson, last used yesterday");
  assert.equal(useText({ app: null, used }, now, en), "last used yesterday");
  assert.equal(useText({ app: null, used: null }, now, en), "never used");
});
