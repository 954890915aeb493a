// The first requests of every start, sent while the other modules are still loading: the session
// that a key in the address opens, and the first questions.

import { Client } from "./api.js";
import { readAddress } from "./router.js";

/** The client of the page. */
export const client = new Client();

const { key } = readAddress(location.hash) ?? {};

/** Settled once a key in the address was given to the server, whether it took it or not. */
export const opened = key === undefined ? Promise.resolve() : client.open(key).catch(() => {});

opened.then(() => {
  client.ahead("status");
  client.ahead("alerts", { limit: 50 });
});
