// The client of `api/v1`: URLs, responses as values, and problems (RFC 9457) as errors.

import { Session, loginOf, tokenName } from "./session.js";

const base = "api/v1/";

/** A problem response of the server, or a missing response. */
export class Problem extends Error {
  /** Creates a problem from the members of `application/problem+json`. */
  constructor({ type = "about:blank", title = "", status = 0, detail = "", parameter = null }) {
    super(detail || title);
    this.slug = type.replace(/^\/problems\//, "");
    this.title = title;
    this.status = status;
    this.detail = detail;
    this.parameter = parameter;
  }

  /** Whether the person must enter the key: there is no session, or its token was lost. */
  get needsKey() {
    return this.status === 401 || this.slug === "no-token";
  }

  /** Whether the server was unreachable. */
  get isOffline() {
    return this.status === 0;
  }
}

/** A path with its query; null and undefined parameters are omitted. */
export function path(route, parameters = {}) {
  const given = Object.entries(parameters).filter(([, value]) => value != null);
  const query = given.map(([name, value]) => `${name}=${encoded(value)}`).join("&");
  return query ? `${route}?${query}` : route;
}

// Commas and colons are not escaped in a query (RFC 3986, 3.4), which keeps URLs readable.
const encoded = (value) =>
  encodeURIComponent(String(value)).replaceAll("%2C", ",").replaceAll("%3A", ":");

/** A box as the API takes it: `S,W,N,E`, to a tenth of a metre. */
export const boxText = ({ south, west, north, east }) =>
  [south, west, north, east].map((degrees) => Number(degrees.toFixed(6))).join(",");

/** The address of a photo's picture: `size` is its longer side in pixels. */
export const pictureAddress = (photo, size, isSquare = false) =>
  base + path(`photos/${encodeURIComponent(photo)}/picture`, {
    size,
    shape: isSquare ? "square" : undefined,
  });

/** Sends requests to the server, and tells its `session` whether they were let in. */
export class Client {
  #fetch;
  #ahead = new Map();
  #entry = null;

  /** Creates a client that uses a function like `fetch`. */
  constructor({
    fetch = (...request) => globalThis.fetch(...request), session = new Session(),
  } = {}) {
    this.#fetch = fetch;
    this.session = session;
    // The phone that the last login added, with the token of its reports; null for none.
    this.phone = null;
  }

  /** Delays all requests but logins until a login in progress has ended, which never fails. */
  wait(entry) {
    this.#entry = entry;
    entry.then(() => this.#entry = null);
  }

  /** Gets a route, or the `next` page of a list. */
  get(route, parameters, options = {}) {
    const address = path(route, parameters);
    const ahead = this.#ahead.get(address);
    this.#ahead.delete(address);
    return ahead ?? this.send("GET", address, options);
  }

  /** Requests a route in advance: the next `get` of the same route has its response. */
  ahead(route, parameters) {
    const answer = this.get(route, parameters);
    // The caller that takes the response receives the problem.
    answer.catch(() => {});
    this.#ahead.set(path(route, parameters), answer);
  }

  /** Sends a key or a code to the server, which begins a session. */
  async open(entered) {
    const json = loginOf(entered);
    try {
      const { token, phone } = await this.send("POST", "session", { json });
      this.phone = phone ?? null;
      this.session.began(token);
    } catch (problem) {
      if (problem.status === 401 && "code" in json) problem.slug = "wrong-code";
      throw problem;
    }
  }

  /** Ends the session of this browser. */
  async logOut() {
    await this.send("DELETE", "session");
    this.session.ended();
  }

  /** Gets a route's file as a blob; throws like `send`. */
  async file(route, parameters, { signal } = {}) {
    if (this.#entry) await this.#entry;
    const { turn } = this.session;
    const response = await this.#reach(path(route, parameters), { method: "GET", signal });
    if (response.ok) return response.blob();
    throw await this.#problem(response, turn);
  }

  /**
   * Sends a request and returns the response's value; null if it is empty.
   *
   * Throws a `Problem`, or an `AbortError` if `signal` fired.
   *
   * - `json`: a value to send; `body`: a raw body to send.
   */
  async send(method, route, { json, body = json && JSON.stringify(json), type, signal } = {}) {
    const headers = json ? { "Content-Type": type ?? "application/json" } : {};
    const isLogin = route === "session" && method === "POST";
    if (this.#entry && !isLogin) await this.#entry;
    const { token, turn } = this.session;
    // Another server on this host gets the cookie, but not the token.
    if (token) headers[tokenName] = token;
    const response = await this.#reach(route, { method, headers, body, signal });
    if (response.ok) return response.status === 204 ? null : this.#value(response);
    throw await this.#problem(response, isLogin ? null : turn);
  }

  async #reach(route, request) {
    try {
      return await this.#fetch(base + route.replace(/^\/?api\/v1\//, ""), request);
    } catch (error) {
      if (error.name === "AbortError") throw error;
      throw new Problem({ type: "/problems/offline" });
    }
  }

  async #value(response) {
    try {
      return await response.json();
    } catch (error) {
      if (error.name === "AbortError") throw error;
      throw new Problem({ type: "/problems/offline" });
    }
  }

  // `turn`: that of the request; null if its refusal does not concern the session.
  async #problem(response, turn) {
    const members = await response.json().catch(() => ({}));
    const problem = new Problem({ ...members, status: response.status });
    if (turn !== null && problem.needsKey) this.session.refused(turn, problem);
    return problem;
  }
}

const loadingTries = 3;
const loadingPause = 1000;
const wait = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/**
 * Loads a module, and asks for it again where the network fails for a moment. Throws the problem
 * of a server that does not answer.
 *
 * - `load`: imports the module; `pause`: waits for milliseconds.
 */
export async function loaded(load, pause = wait) {
  for (let tries = 1; ; tries += 1) {
    try {
      return await load();
    } catch {
      if (tries === loadingTries) throw new Problem({ type: "/problems/offline" });
      await pause(loadingPause);
    }
  }
}
