// Changes on their way to the server, such as those of settings: what is shown meanwhile, what is
// sent next, and what becomes of a change that fails.

// Those with changes to send.
const unfinished = new Set();

/** Sends the changes that wait for the server. */
export const sendWaiting = () => Promise.all([...unfinished].map((edits) => edits.flush()));

/** Whether a change that fails waits: the server was unreachable, or asks for the key. */
const isForLater = ({ isOffline, needsKey }) => Boolean(isOffline || needsKey);

/**
 * Values by name as the server has them, and the changes to them.
 *
 * Changes are sent one after the other, so that one that is refused does not spoil others; of
 * several of one value, only the last that waits. A refused change is dropped, so that the server's
 * value is shown again. A change that the server did not receive waits until `sendWaiting`.
 */
export class Edits {
  #known = {};
  #waiting = new Map();
  #sending = null;
  #send;
  #onSettled;
  /** The number of changes and answers so far: it tells whether a response is from before one. */
  version = 0;

  /**
   * Creates edits without values.
   *
   * - `send`: sends the change of a name to a value, and throws a `Problem` if that fails.
   * - `onSettled`: called with null or the problem once all that can be sent was sent.
   */
  constructor({ send, onSettled }) {
    this.#send = send;
    this.#onSettled = onSettled;
  }

  /** Sets the server's values. */
  know(values) {
    this.#known = values;
  }

  /** The value of a name: as last changed here, or as the server has it. */
  shown(name) {
    if (this.#waiting.has(name)) return this.#waiting.get(name);
    return this.#sending?.name === name ? this.#sending.value : this.#known[name];
  }

  /** Whether changes wait. */
  get isWaiting() {
    return this.#waiting.size > 0;
  }

  /** Changes a value, and sends it. */
  change(name, value) {
    this.version += 1;
    this.#waiting.delete(name);
    this.#waiting.set(name, value);
    return this.flush();
  }

  /** Sends the changes that wait. */
  async flush() {
    if (this.#sending || !this.isWaiting) return;
    unfinished.add(this);
    let problem = null;
    while (this.isWaiting && !(problem && isForLater(problem))) {
      problem = await this.#sendNext() ?? problem;
    }
    if (!this.isWaiting) unfinished.delete(this);
    this.#onSettled(problem);
  }

  async #sendNext() {
    const [[name, value]] = this.#waiting;
    this.#waiting.delete(name);
    this.#sending = { name, value };
    try {
      const before = this.#known;
      await this.#send(name, value);
      // The response may have had the new values.
      if (this.#known === before) this.#known = { ...before, [name]: value };
      return null;
    } catch (problem) {
      // A newer change of the same value replaces it.
      if (isForLater(problem) && !this.#waiting.has(name)) {
        this.#waiting = new Map([[name, value], ...this.#waiting]);
      }
      return problem;
    } finally {
      this.#sending = null;
      this.version += 1;
    }
  }
}
