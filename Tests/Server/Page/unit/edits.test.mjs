// Changes of settings and places on their way to the server.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Problem } from "../../../../Sources/Server/Page/files/api.js";
import { Edits, sendWaiting } from "../../../../Sources/Server/Page/files/edits.js";

const offline = () => new Problem({ type: "/problems/offline" });
const refused = () => new Problem({ type: "/problems/bad-setting", status: 422 });

/** Edits whose requests are answered by `answer(null)` or `answer(problem)`, in order. */
function bench() {
  const sent = [];
  const settled = [];
  const pending = [];
  const edits = new Edits({
    send: (name, value) => new Promise((resolve, reject) => {
      sent.push([name, value]);
      pending.push((problem) => problem ? reject(problem) : resolve());
    }),
    onSettled: (problem) => settled.push(problem?.slug ?? null),
  });
  edits.know({ radius: 100, isOn: true });
  const answer = async (problem = null) => {
    pending.shift()(problem);
    for (let turn = 0; turn < 4; turn++) await new Promise((resolve) => setImmediate(resolve));
  };
  return { edits, sent, settled, answer };
}

test("a change is shown at once, and of several of one value the last one is sent", async () => {
  const { edits, sent, settled, answer } = bench();
  edits.change("radius", 110);
  edits.change("radius", 120);
  edits.change("radius", 130);
  assert.equal(edits.shown("radius"), 130);
  await answer();
  await answer();
  assert.deepEqual(sent, [["radius", 110], ["radius", 130]]);
  assert.deepEqual([edits.shown("radius"), settled], [130, [null]]);
});

test("a refused change is put back, and does not spoil others", async () => {
  const { edits, sent, settled, answer } = bench();
  edits.change("radius", 1e9);
  edits.change("isOn", false);
  await answer(refused());
  assert.equal(edits.shown("radius"), 100);
  await answer();
  assert.deepEqual(sent, [["radius", 1e9], ["isOn", false]]);
  assert.deepEqual([edits.shown("isOn"), settled, edits.isWaiting], [false, ["bad-setting"], false]);
  await sendWaiting();
  assert.equal(sent.length, 2, "a refused change is not sent again");
});

test("a change that the server did not receive waits, and is sent later in its order", async () => {
  const { edits, sent, settled, answer } = bench();
  edits.change("radius", 200);
  edits.change("isOn", false);
  await answer(offline());
  assert.deepEqual([settled, edits.isWaiting, edits.shown("radius")], [["offline"], true, 200]);
  // The server's values do not hide it.
  edits.know({ radius: 100, isOn: true });
  assert.deepEqual([edits.shown("radius"), edits.shown("isOn")], [200, false]);
  sendWaiting();
  await answer();
  await answer();
  assert.deepEqual(sent.slice(1), [["radius", 200], ["isOn", false]]);
  assert.deepEqual([settled, edits.isWaiting], [["offline", null], false]);
});

test("a newer change replaces one that waits", async () => {
  const { edits, sent, answer } = bench();
  edits.change("radius", 200);
  edits.change("radius", 300);
  await answer(offline());
  sendWaiting();
  await answer();
  assert.deepEqual(sent, [["radius", 200], ["radius", 300]]);
});

test("a change waits for the key", async () => {
  const { edits, sent, answer } = bench();
  edits.change("isOn", false);
  await answer(new Problem({ type: "/problems/no-token", status: 403 }));
  assert.ok(edits.isWaiting);
  sendWaiting();
  await answer();
  assert.equal(sent.length, 2);
});

test("a response from before a change is recognized", async () => {
  const { edits, answer } = bench();
  const { version } = edits;
  edits.change("isOn", false);
  assert.notEqual(edits.version, version);
  const during = edits.version;
  await answer();
  assert.notEqual(edits.version, during);
});

test("the values of the server's response are shown after a change", async () => {
  const edits = new Edits({ send: async () => edits.know({ name: "Oak" }), onSettled: () => {} });
  await edits.change("name", " Oak ");
  assert.equal(edits.shown("name"), "Oak");
});
