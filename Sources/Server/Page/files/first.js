// The first requests of every start, sent while other modules are loading: the session for a key in
// the address, and the initial data.

import { Client, loaded } from "./api.js";
import { readAddress } from "./router.js";

/** The client of the page. */
export const client = new Client();

/** Whether the address has a code, as the one that a person was given. */
export const isInvited = location.hash.startsWith("#pair=");

const { key, isPhone } = readAddress(location.hash) ?? {};

/**
 * The refusal of a key or code in the address, once the server has answered; null for none. The
 * code of a phone is sent only after the person agreed.
 */
export const opened = key === undefined ? Promise.resolve(null)
  : isPhone ? loaded(() => import("./phones/letin.js"))
    .then(({ letIn }) => letIn(client, key), (problem) => problem)
    : client.open(key).then(() => null, (problem) => problem);

client.wait(opened);
opened.then(() => {
  client.ahead("status");
  client.ahead("devices");
  client.ahead("alerts", { limit: 50 });
});
