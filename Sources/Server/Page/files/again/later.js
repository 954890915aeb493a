// Sends the photos that could not be sent because the connection was lost.

import { isForLater, Unsent } from "./unsent.js";

let isSending = false;
// Photos that the person has seen, and left for another time.
const shown = new Set();

/** Sends the stored photos, oldest first, and reports the number sent. */
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
        // The server is unreachable; a rejected photo does not block the others.
        if (problem.isOffline) break;
        if (!isForLater(problem) && !shown.has(key)) {
          // Loaded only for this, since few photos are refused.
          const { showRefused } = await import("./refused.js");
          // A dialog that cannot be loaded now is shown when the photos are sent again.
          shown.add(key);
          showRefused(page, key, problem);
        }
      }
    }
  } catch {
    // A browser without storage has no photos to send.
  } finally {
    isSending = false;
  }
  if (sent > 0) page.toasts.show(page.words.say("again.sent", { count: sent }));
}
