// Who the person is to the server, in every order of what can happen to a session.
import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { Client } from "../../../../Sources/Server/Page/files/api.js";
import { EventFollower } from "../../../../Sources/Server/Page/files/events.js";
import { Session, joined } from "../../../../Sources/Server/Page/files/session.js";

class FakeSource extends EventTarget {
  readyState = 1;
  close() { this.readyState = 2; }
}

/** A page with a server that lets in, or not; what it asks is answered at once. */
class Bench {
  isIn = true;
  told = [];
  streams = [];
  delayed = [];
  isDelaying = false;

  constructor() {
    const stored = {};
    this.session = new Session({ tokens: {
      getItem: (name) => stored[name] ?? null,
      setItem: (name, value) => { stored[name] = value; },
      removeItem: (name) => delete stored[name],
    } });
    this.client = new Client({ session: this.session, fetch: (...request) => this.answer(...request) });
    this.events = new EventFollower({
      onEvent: () => {}, onState: () => {}, onRefused: () => this.page.refused(),
      make: () => this.streams[this.streams.push(new FakeSource()) - 1],
    });
    this.page = joined({
      session: this.session, client: this.client, events: this.events,
      onAsk: () => this.told.push("ask"),
      onOpen: () => {
        this.told.push("open");
        this.events.start();
      },
    });
    this.events.start();
  }

  async answer(address, { method, body }) {
    const isLogin = address.endsWith("/session") && method === "POST";
    if (isLogin && JSON.parse(body).key === "right") this.isIn = true;
    else if (isLogin) return this.respond(401);
    if (!this.isIn) return this.respond(401);
    if (address.endsWith("/session") && method === "DELETE") {
      this.isIn = false;
      return new Response(null, { status: 204 });
    }
    return this.respond(200);
  }

  respond(status) {
    const response = () => new Response(
      status === 200 ? '{"token":"t"}' : '{"type":"/problems/no-key"}', { status });
    if (!this.isDelaying) return response();
    return new Promise((resolve) => this.delayed.push(() => resolve(response())));
  }

  get openStream() { return this.streams.find(({ readyState }) => readyState !== 2) ?? null; }
}

/** What can happen: each is done, and the page notices what it can. */
const happenings = {
  // The session ends: another browser ended it, or a new key was made. The page does not notice.
  expiry: (bench) => { bench.isIn = false; },
  // A request is sent, and refused without a session.
  request: (bench) => bench.client.get("alerts").catch(() => {}),
  // A request is sent whose response comes after all else.
  late: async (bench) => {
    bench.isDelaying = true;
    bench.client.get("spots").catch(() => {});
    bench.isDelaying = false;
  },
  // The response to the oldest late request.
  response: (bench) => bench.delayed.shift()?.(),
  // The stream ends, and the server answers without one.
  stream: (bench) => {
    const source = bench.openStream;
    if (!source) return;
    source.readyState = 2;
    source.onerror();
  },
  wrong: (bench) => bench.client.open("wrong").catch(() => {}),
  login: (bench) => bench.client.open("right"),
  logout: (bench) => bench.client.logOut().catch(() => {}),
  // Another tab logs in, and the person returns to this one.
  return: (bench) => {
    bench.isIn = true;
    bench.page.left();
    return bench.page.returned();
  },
};

const settled = async () => {
  for (let turn = 0; turn < 20; turn++) await null;
};

/** Every sequence of a number of names. */
function* sequences(length, names = Object.keys(happenings)) {
  if (length === 0) return yield [];
  for (const before of sequences(length - 1, names)) for (const one of names) yield [...before, one];
}

test("the person is asked exactly while the server does not let in, in every order of four", async () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  let count = 0;
  for (const sequence of sequences(4)) {
    count += 1;
    const bench = new Bench();
    for (const name of sequence) {
      await happenings[name](bench);
      await settled();
      mock.timers.tick(2000);
      await settled();
      const { session, isIn, told, openStream } = bench;
      const story = `${sequence.join(", ")}: at ${name}`;
      // A page may not know yet that its session has ended, but never asks a person who is in.
      if (isIn) assert.ok(!session.isAsked, story);
      if (["request", "logout"].includes(name)) assert.equal(session.isAsked, !isIn, story);
      if (["login", "return"].includes(name)) assert.ok(!session.isAsked, story);
      if (name === "stream" && !isIn) assert.ok(session.isAsked, story);
      // It is asked once, and let in once.
      told.forEach((one, index) => assert.equal(one, index % 2 ? "open" : "ask", story));
      assert.equal(told.at(-1) === "ask", session.isAsked, story);
      // There is a stream while the person is not asked, and only one.
      assert.equal(openStream !== null, !session.isAsked, story);
      assert.ok(bench.streams.filter(({ readyState }) => readyState !== 2).length <= 1, story);
    }
  }
  assert.equal(count, 9 ** 4);
  mock.timers.reset();
});

test("a refusal of before a login does not ask again", async () => {
  const bench = new Bench();
  for (const name of ["expiry", "late", "request", "login", "response"]) {
    await happenings[name](bench);
    await settled();
  }
  assert.deepEqual([bench.told, bench.session.isAsked], [["ask", "open"], false]);
});
