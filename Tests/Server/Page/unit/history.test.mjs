// The browser's history: places, and the dialogs that lie on top of them.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Layers } from "../../../../Sources/Server/Page/files/panel/layers.js";
import { Router } from "../../../../Sources/Server/Page/files/router.js";

/** A browser's history with the documents of one page; it goes back later, as browsers do. */
class FakeHistory {
  entries = [{ state: null, url: "/#10/1/2/nearby" }];
  index = 0;
  events = new EventTarget();
  get state() { return this.entries[this.index].state; }
  get hash() { return this.entries[this.index].url.replace(/^[^#]*/, ""); }
  get pathname() { return "/"; }
  pushState(state, _, url = this.entries[this.index].url) {
    this.entries = [...this.entries.slice(0, this.index + 1), { state: structuredClone(state), url }];
    this.index += 1;
  }
  replaceState(state, _, url = this.entries[this.index].url) {
    this.entries[this.index] = { state: structuredClone(state), url };
  }
  go(by) { setImmediate(() => this.arrive(this.index + by)); }
  arrive(index) {
    if (!this.entries[index]) return;
    this.index = index;
    this.events.dispatchEvent(Object.assign(new Event("popstate"), { state: this.state }));
  }
}

class FakeDialog extends EventTarget {
  open = false;
  isUnder = false;
  showModal() { this.open = true; }
  close() {
    if (!this.open) return;
    this.open = false;
    setImmediate(() => this.dispatchEvent(new Event("close")));
  }
  toggleAttribute(_, isOn) { this.isUnder = isOn; }
  removeAttribute() { this.isUnder = false; }
}

const position = { zoom: 10, latitude: 1, longitude: 2 };
const settled = async () => {
  for (let turn = 0; turn < 6; turn++) await new Promise((resolve) => setImmediate(resolve));
};

function page() {
  const history = new FakeHistory();
  const visits = [];
  const focus = [];
  const router = new Router({
    history, location: history, events: history.events,
    onVisit: ({ place }) => visits.push(place),
    onLayer: (depth, isSame) => {
      layers.arrived(depth);
      if (isSame) router.moved(position, { view: "spot", id: "a" });
    },
    onKey: () => {},
  });
  const layers = new Layers(router, {
    hold: () => {
      const number = focus.length;
      focus.push("held");
      return () => focus[number] = "given back";
    },
  });
  router.start();
  router.moved(position, { view: "nearby" });
  router.went(position, { view: "spot", id: "a" });
  return { history, router, layers, visits, focus };
}

test("back closes the dialog that lies on top, one after the other, and then the place", async () => {
  const { history, layers, visits, focus } = page();
  const [photo, compare] = [new FakeDialog(), new FakeDialog()];
  layers.show(photo);
  layers.show(compare);
  assert.deepEqual([photo.isUnder, history.index, history.entries.length], [true, 3, 4]);
  history.go(-1);
  await settled();
  assert.deepEqual([photo.open, photo.isUnder, compare.open], [true, false, false]);
  assert.deepEqual(focus, ["held", "given back"]);
  history.go(-1);
  await settled();
  assert.deepEqual([photo.open, focus], [false, ["given back", "given back"]]);
  assert.deepEqual(visits, [], "the place below is not shown again");
  history.go(-1);
  await settled();
  assert.deepEqual(visits, [{ view: "nearby" }]);
});

test("a dialog that is closed in another way leaves the history", async () => {
  const { history, layers, visits } = page();
  const dialog = new FakeDialog();
  layers.show(dialog);
  dialog.close();
  await settled();
  assert.equal(history.index, 1);
  assert.deepEqual(visits, []);
  // The next one replaces its entry.
  layers.show(new FakeDialog());
  assert.deepEqual([history.index, history.entries.length], [2, 3]);
});

test("a dialog opened while the browser still goes back gets its entry afterwards", async () => {
  const { history, layers } = page();
  const [first, second] = [new FakeDialog(), new FakeDialog()];
  layers.show(first);
  first.open = false;
  first.dispatchEvent(new Event("close"));
  layers.show(second);
  assert.equal(history.state.layer, 1);
  await settled();
  assert.ok(second.open);
  assert.deepEqual([history.index, history.state.layer, history.entries.length], [2, 1, 3]);
  history.go(-1);
  await settled();
  assert.ok(!second.open);
});

test("a dialog leaves the history before the browser says that it was closed", async () => {
  const { history, layers, router, visits } = page();
  const dialog = new FakeDialog();
  layers.show(dialog);
  dialog.close();
  // What a tab does that is chosen now.
  await layers.settle().then(() => router.went(position, { view: "settings" }));
  await settled();
  assert.deepEqual([history.index, history.state.place, visits], [2, { view: "settings" }, []]);
});

test("closing all dialogs arrives at the place below them", async () => {
  const { history, layers, router } = page();
  const dialogs = [new FakeDialog(), new FakeDialog(), new FakeDialog()];
  for (const one of dialogs) layers.show(one);
  await layers.closeAll();
  assert.ok(dialogs.every(({ open }) => !open));
  assert.equal(history.index, 1);
  router.went(position, { view: "spot", id: "b" });
  assert.deepEqual(history.entries.map(({ state }) => state.place.id ?? null), [null, "a", "b"]);
  assert.equal(layers.settle(), null);
});

test("going back over several entries closes the dialogs and shows the place", async () => {
  const { history, layers, visits } = page();
  const dialog = new FakeDialog();
  layers.show(dialog);
  history.go(-2);
  await settled();
  assert.ok(!dialog.open);
  assert.deepEqual(visits, [{ view: "nearby" }]);
  // Forward: the place, then an entry without a dialog.
  history.go(1);
  await settled();
  history.go(1);
  await settled();
  assert.equal(visits.length, 2);
});

test("a reload with a dialog goes back to the place below it", async () => {
  const { history, layers } = page();
  layers.show(new FakeDialog());
  const router = new Router({
    history, location: history, events: history.events, onVisit: () => assert.fail("a visit"),
    onLayer: () => {}, onKey: () => {},
  });
  history.events = new EventTarget();
  assert.equal(router.layer, 1);
  router.start();
  await settled();
  assert.deepEqual([history.index, router.layer], [1, 0]);
});

test("an edited address is a place of its own", async () => {
  const { history, layers, visits } = page();
  history.pushState(null, "", "/#10/1/2/spot/b");
  history.arrive(2);
  assert.deepEqual(visits, [{ view: "spot", id: "b" }]);
  layers.show(new FakeDialog());
  history.go(-1);
  await settled();
  assert.equal(visits.length, 1);
});
