// The client of `events`: one stream that reconnects by itself and is closed while the page is
// hidden. A new stream begins with `start`, whose id says where it stands. After a pause the missed
// events come first, or `gap` if the server no longer has them.

/** The names of the events. */
const eventNames = [
  "position", "alert", "delivery", "index", "progress", "indexing", "mutes", "settings",
  "recreation", "places", "phones", "outages", "gap", "start",
];

const pauseMilliseconds = 2000;

/** Follows the events of the server. */
export class EventFollower {
  #source = null;
  #last = null;
  #timer = 0;
  #wasOff = false;
  #onEvent;
  #onState;
  #onRefused;
  #make;

  /**
   * Creates a client, which connects when `start` is called.
   *
   * - `onEvent`: called with a name and a value.
   * - `onState`: called with `connecting`, `live` or `off`.
   * - `onRefused`: called when the server answers without a stream, whatever the reason.
   * - `make`: creates an `EventSource` for a URL.
   */
  constructor({
    onEvent, onState, onRefused = () => {}, make = (address) => new EventSource(address),
  }) {
    this.#onEvent = onEvent;
    this.#onState = onState;
    this.#onRefused = onRefused;
    this.#make = make;
  }

  /** The URL that requests the events after the last one. */
  get address() {
    return "api/v1/events" + (this.#last ? `?after=${encodeURIComponent(this.#last)}` : "");
  }

  /** Connects, or reconnects after a pause. */
  start() {
    if (this.#source) return;
    this.#onState("connecting");
    const source = this.#make(this.address);
    this.#source = source;
    source.onopen = () => {
      this.#onState("live");
      // Closed before its first event, so neither side knows what was missed.
      if (this.#wasOff && !this.#last) this.#onEvent("gap", {});
      this.#wasOff = false;
    };
    source.onerror = () => {
      this.#wasOff = true;
      // The browser reconnects by itself, unless the server sent another response.
      this.#onState("off");
      if (source.readyState === 2) this.#again();
    };
    for (const name of eventNames) {
      source.addEventListener(name, (event) => {
        if (event.lastEventId) this.#last = event.lastEventId;
        if (name !== "start") this.#onEvent(name, event.data ? JSON.parse(event.data) : {});
      });
    }
  }

  /** Closes the stream; the last event's id is kept. */
  stop() {
    clearTimeout(this.#timer);
    if (this.#source) this.#wasOff = true;
    this.#source?.close();
    this.#source = null;
  }

  #again() {
    this.stop();
    this.#timer = setTimeout(() => this.start(), pauseMilliseconds);
    this.#onRefused();
  }
}
