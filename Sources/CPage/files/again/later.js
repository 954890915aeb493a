// Sends the photos that the server did not have when the connection dropped.

import { Unsent } from "./unsent.js";

let isSending = false;

/** Sends what is kept, the oldest first, and tells how many the server has now. */
export async function sendUnsent(page) {
  if (isSending) return;
  isSending = true;
  const unsent = new Unsent();
  let sent = 0;
  try {
    for (const key of await unsent.keys()) {
      try {
        if (await unsent.send(page.client, key)) sent += 1;
      } catch (problem) {
        if (!(problem.status >= 0)) throw problem;
        // Nobody answers; one that is refused holds up no other.
        if (problem.isOffline) break;
      }
    }
  } catch {
    // A browser without a place to keep photos has none to send.
  } finally {
    isSending = false;
  }
  if (sent > 0) page.toasts.show(page.words.say("again.sent", { count: sent }));
}
