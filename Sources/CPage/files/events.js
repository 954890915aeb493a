// The client of `events`: one stream of what happens, which heals itself and rests while the page
// is hidden. What was missed comes first after a pause; where the server no longer knows it, it
// says `gap`.

/** The names of the events. */
const eventNames = [
  "position", "alert", "index", "progress", "mutes", "settings", "recreation", "places",
  "gap",
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
  #make;

  /**
   * Creates a follower, which follows once `start` is called.
   *
   * - `onEvent`: called with a name and a value.
   * - `onState`: called with `connecting`, `live` or `off`.
   * - `make`: makes an `EventSource` of an address.
   */
  constructor({ onEvent, onState, make = (address) => new EventSource(address) }) {
    this.#onEvent = onEvent;
    this.#onState = onState;
    this.#make = make;
  }

  /** The address that asks for what came after the last event. */
  get address() {
    return "api/v1/events" + (this.#last ? `?after=${encodeURIComponent(this.#last)}` : "");
  }

  /** Begins to follow, or goes on after a pause. */
  start() {
    if (this.#source) return;
    this.#onState("connecting");
    const source = this.#make(this.address);
    this.#source = source;
    source.onopen = () => {
      this.#onState("live");
      // Without an event's id nothing tells the server what was missed.
      if (this.#wasOff && !this.#last) this.#onEvent("gap", {});
      this.#wasOff = false;
    };
    source.onerror = () => {
      this.#wasOff = true;
      // The browser tries again by itself, unless the server answered with something else.
      this.#onState("off");
      if (source.readyState === 2) this.#again();
    };
    for (const name of eventNames) {
      source.addEventListener(name, (event) => {
        if (event.lastEventId) this.#last = event.lastEventId;
        this.#onEvent(name, event.data ? JSON.parse(event.data) : {});
      });
    }
  }

  /** Closes the stream; the place in it is kept. */
  stop() {
    clearTimeout(this.#timer);
    this.#source?.close();
    this.#source = null;
  }

  #again() {
    this.stop();
    this.#timer = setTimeout(() => this.start(), pauseMilliseconds);
  }
}
