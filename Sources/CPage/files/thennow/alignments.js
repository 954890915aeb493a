// Asks the worker that aligns pictures.

/** Alignments to views, one question after the other. */
export class Alignments {
  #worker;
  #waiting = new Map();
  #known = new Set();
  #number = 0;

  /** Creates the worker; `make` does, for tests. */
  constructor(make = () => new Worker("align/worker.js", { type: "module" })) {
    this.#worker = make();
    this.#worker.onmessage = ({ data: { id, found } }) => this.#answer(id, found);
    // A worker that cannot be loaded answers nothing; then nothing is found.
    this.#worker.onerror = () => {
      for (const id of [...this.#waiting.keys()]) this.#answer(id, null);
    };
  }

  /**
   * How a view lies in a picture; null where it cannot be found out.
   *
   * - `name`: the view's; `view`: its picture, which is sent once.
   */
  find(name, view, picture, { isTracking = false } = {}) {
    const isKnown = this.#known.has(name);
    this.#known.add(name);
    return this.#ask({ view: { name, picture: isKnown ? null : view }, picture, isTracking });
  }

  /** Gets a view ready, so that the first picture is aligned sooner. */
  prepare(name, view) {
    return this.find(name, view, null);
  }

  /** Ends the worker. */
  close() {
    this.#worker.terminate();
    for (const id of [...this.#waiting.keys()]) this.#answer(id, null);
  }

  #ask(question) {
    this.#number += 1;
    const id = this.#number;
    return new Promise((resolve) => {
      this.#waiting.set(id, resolve);
      this.#worker.postMessage({ id, ...question });
    });
  }

  #answer(id, found) {
    this.#waiting.get(id)?.(found);
    this.#waiting.delete(id);
  }
}
