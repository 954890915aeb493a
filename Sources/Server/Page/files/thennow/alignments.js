// The client of the worker that aligns pictures.

/** Aligns pictures with views, in a worker. */
export class Alignments {
  #worker;
  #waiting = new Map();
  #known = new Set();
  #number = 0;

  /** Creates the worker by `make`, a parameter for tests. */
  constructor(make = () => new Worker("align/worker.js", { type: "module" })) {
    this.#worker = make();
    this.#worker.onmessage = ({ data: { id, found } }) => this.#answer(id, found);
    // If the worker cannot be loaded, no view is found.
    this.#worker.onerror = () => {
      for (const id of [...this.#waiting.keys()]) this.#answer(id, null);
    };
  }

  /**
   * Finds a view in a picture: returns the result of `Aligner.align`, or null on failure.
   *
   * - `name`: identifies the view; `view`: the view's picture, which is sent once.
   */
  find(name, view, picture, { isTracking = false } = {}) {
    const isKnown = this.#known.has(name);
    this.#known.add(name);
    return this.#ask({ view: { name, picture: isKnown ? null : view }, picture, isTracking });
  }

  /** Prepares a view, so that its first picture is aligned sooner. */
  prepare(name, view) {
    return this.find(name, view, null);
  }

  /** Terminates the worker; pending requests return null. */
  close() {
    this.#worker.terminate();
    for (const id of [...this.#waiting.keys()]) this.#answer(id, null);
  }

  #ask(request) {
    this.#number += 1;
    const id = this.#number;
    return new Promise((resolve) => {
      this.#waiting.set(id, resolve);
      this.#worker.postMessage({ id, ...request });
    });
  }

  #answer(id, found) {
    this.#waiting.get(id)?.(found);
    this.#waiting.delete(id);
  }
}
