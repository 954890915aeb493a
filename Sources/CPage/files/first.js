// The first requests of every start, sent while other modules are loading: the session for a key in
// the address, and the initial data.

import { Client } from "./api.js";
import { readAddress } from "./router.js";

/** The client of the page. */
export const client = new Client();

const { key } = readAddress(location.hash) ?? {};

/** Settled once a key in the address was sent to the server, accepted or not. */
export const opened = key === undefined ? Promise.resolve() : client.open(key).catch(() => {});

opened.then(() => {
  client.ahead("status");
  client.ahead("alerts", { limit: 50 });
});
