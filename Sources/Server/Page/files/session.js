// Who the person is to the server: let in, or asked for the key. Pure, but for the token's storage.

/** The name of the token in the browser's storage, and of the header that sends it. */
export const tokenName = "photospots-token";

/**
 * The browser's session: whether the person is asked for the key, and the token of changes.
 *
 * Requests belong to the turn in which they were sent, which ends when the person logs in. So a
 * late refusal of an old request does not ask again.
 */
export class Session {
  #isAsked = false;
  #turn = 0;
  #tokens;
  #lasting = null;

  /** Creates a session; `tokens` stores the token, like `localStorage`. */
  constructor({ tokens = globalThis.localStorage } = {}) {
    this.#tokens = tokens;
    this.onAsk = () => {};
    this.onOpen = () => {};
  }

  /** Whether the person is asked for the key. */
  get isAsked() {
    return this.#isAsked;
  }

  /** The turn of the requests that are sent now. */
  get turn() {
    return this.#turn;
  }

  /** The token that changes need in addition to the cookie; null if there is none. */
  get token() {
    try {
      return this.#tokens?.getItem(tokenName) ?? null;
    } catch {
      // The browser is set to store nothing.
      return this.#lasting;
    }
  }

  /**
   * Notes that the server refused a request: the person is asked for the key, once.
   *
   * - `problem`: the refusal; null if the session was ended here.
   */
  refused(turn, problem) {
    if (turn !== this.#turn || this.#isAsked) return;
    this.#isAsked = true;
    this.onAsk(problem);
  }

  /** Notes a login. Everything that waits for it is told, and has the token. */
  began(token) {
    this.#keep(token);
    this.#resume();
  }

  /** Notes that the server lets this browser in, for example after a login in another tab. */
  resumed() {
    if (this.#isAsked) this.#resume();
  }

  /** Notes a logout. */
  ended() {
    this.#keep(null);
    this.refused(this.#turn, null);
  }

  #resume() {
    const wasAsked = this.#isAsked;
    this.#turn += 1;
    this.#isAsked = false;
    if (wasAsked) this.onOpen();
  }

  #keep(token) {
    this.#lasting = token;
    try {
      if (token) this.#tokens?.setItem(tokenName, token);
      else this.#tokens?.removeItem(tokenName);
    } catch {
      // The token lasts until the page is closed.
    }
  }
}

/**
 * Joins a session with the requests and the stream of events that depend on it.
 *
 * Returns `{ refused, returned, left }`: to be called when the stream was refused, and when the
 * page is shown again or hidden.
 *
 * - `onAsk`: shows the form, with the refusal, or null after a logout; `onOpen`: starts the page.
 */
export function joined({ session, client, events, onAsk, onOpen }) {
  let reason = null;
  session.onAsk = (problem) => {
    reason = problem;
    events.stop();
    onAsk(problem);
    // The refusal may be of before a login in another tab.
    if (problem?.status === 401) check();
  };
  session.onOpen = onOpen;

  async function check() {
    const isIn = await client.get("status").then(() => true, () => false);
    const lacksToken = reason?.slug === "no-token" && session.token === null;
    if (isIn && !lacksToken) session.resumed();
  }

  return {
    // Browsers do not say why a stream was refused, so another request asks.
    refused: () => client.get("status").catch(() => {}),
    returned: () => session.isAsked ? check() : events.start(),
    left: () => events.stop(),
  };
}

/**
 * What a person entered, as the body of a login: `{ code }` or `{ key }`. An address is cut to its
 * part after `#key=` or `#pair=`. A code has 12 letters and digits, written in any way.
 */
export function loginOf(entered) {
  const text = entered.trim().replace(/^.*#(key|pair)=/, "").replace(/&phone$/, "");
  return /^[0-9a-z]{12}$/i.test(text.replaceAll(/[\s-]/g, "")) ? { code: text } : { key: text };
}
