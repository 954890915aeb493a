// The shared state of the page: values by name, with listeners.

/** Values by name; listeners are notified of the names they subscribe to. */
export class Store {
  #values;
  #listeners = new Map();

  /** Creates a store with its first values. */
  constructor(values) {
    this.#values = { ...values };
  }

  /** The value of a name. */
  get(name) {
    return this.#values[name];
  }

  /** Sets values, then notifies the listeners of the changed names. */
  set(changes) {
    const heard = new Set();
    for (const [name, value] of Object.entries(changes)) {
      if (Object.is(this.#values[name], value)) continue;
      this.#values[name] = value;
      for (const listener of this.#listeners.get(name) ?? []) heard.add(listener);
    }
    for (const listener of heard) listener();
  }

  /** Calls a listener whenever one of the named values changes. */
  on(names, listener) {
    for (const name of names) {
      if (!this.#listeners.has(name)) this.#listeners.set(name, new Set());
      this.#listeners.get(name).add(listener);
    }
  }
}
