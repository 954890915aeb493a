// What lies on top of the page: a photo, a comparison, the camera. Each has an entry in the history
// of the browser, so that going back, a gesture on phones, closes the topmost.

import { heldFocus } from "../dom.js";

// The longest wait for the browser to go back.
const longestMilliseconds = 1000;

/** The open dialogs, the topmost last. */
export class Layers {
  #open = [];
  #router;
  #hold;
  #onArrived = () => {};
  // Resolves once the history has arrived where it was asked to go; null if it is there.
  #settling = null;

  /** Creates an empty stack; `hold` returns a function that gives the focus back. */
  constructor(router, { hold = heldFocus } = {}) {
    this.#router = router;
    this.#hold = hold;
  }

  /**
   * Shows a dialog on top of the others, which are hidden until it is closed; `onEnd` is called
   * once it was closed in any way.
   */
  show(dialog, onEnd = () => {}) {
    const giveBack = this.#hold();
    const layer = { dialog, depth: null, end: null };
    this.#open.at(-1)?.dialog.toggleAttribute("data-under", true);
    this.#open.push(layer);
    this.#afterwards(() => {
      if (!this.#open.includes(layer)) return;
      this.#router.raise();
      layer.depth = this.#router.layer;
    });
    layer.end = () => {
      layer.end = () => {};
      const isTop = this.#open.at(-1) === layer;
      this.#open = this.#open.filter((one) => one !== layer);
      if (isTop && layer.depth !== null) this.#lower(1);
      this.#open.at(-1)?.dialog.removeAttribute("data-under");
      onEnd();
      giveBack();
    };
    dialog.addEventListener("close", () => layer.end(), { once: true });
    dialog.removeAttribute("data-under");
    dialog.showModal();
  }

  /** Closes the dialogs above a depth, at which the history arrived. */
  arrived(depth) {
    while (this.#open.length > 0 && this.#open.at(-1).depth > depth) {
      this.#open.pop().dialog.close();
    }
    this.#onArrived();
  }

  /**
   * Removes closed dialogs from the history. Returns a promise that resolves once the history has
   * arrived where it was asked to go; null if it is there.
   */
  settle() {
    // The browser says later that a dialog was closed.
    for (const { dialog, end } of this.#open.toReversed()) if (!dialog.open) end();
    return this.#settling;
  }

  /** Closes all dialogs, and resolves once the history is at the place below them. */
  async closeAll() {
    await this.settle();
    const [lowest] = this.#open;
    if (lowest) this.#lower(this.#router.layer - lowest.depth + 1);
    await this.settle();
  }

  // The browser goes back later, so other changes of the history wait for that.
  #lower(count) {
    this.#settling = new Promise((resolve) => {
      this.#onArrived = resolve;
      setTimeout(resolve, longestMilliseconds);
    }).then(() => {
      this.#onArrived = () => {};
      this.#settling = null;
    });
    this.#router.lower(count);
  }

  #afterwards(work) {
    if (this.#settling) this.#settling.then(work);
    else work();
  }
}
