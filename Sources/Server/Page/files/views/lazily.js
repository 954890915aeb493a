// Opens the dialogs for photos and phones, and loads their modules when needed.

import { Problem } from "../api.js";
import { kept } from "../panel/choices.js";

/** Opens the dialog that compares two photos of a spot. */
export const openCompare = (page, spot, id = null) =>
  open(page, () => import("../thennow/compare.js"),
    (dialogs) => dialogs.openCompare(page, spot, id));

/** Opens the camera view for a photo of a spot, by default its cover. */
export const openAgain = (page, spot, id = null) =>
  open(page, () => import("../again/again.js"),
    (dialogs) => dialogs.openAgain(page, spot, id));

/** Opens the dialog that lets a phone in. */
export const openInvitation = (page, name, invitation) =>
  open(page, () => import("../phones/invite.js"),
    (dialogs) => dialogs.openInvitation(page, name, invitation), "styles/phones.css");

/** Opens the list of apps on a phone that came in. */
export const openJoined = (page, phone) =>
  open(page, () => import("../phones/joined.js"),
    (dialogs) => dialogs.openJoined(page, phone), "styles/phones.css");

/** Shows the first steps, once in a browser. */
export const openTour = (page) => kept("tour") === "new"
  && open(page, () => import("./tour.js"), (cards) => cards.showTour(page), "styles/phones.css");

/** Whether the server saves photos taken again. */
export const canTakeAgain = ({ store }) =>
  store.get("status")?.features?.includes("recreations") ?? false;

async function open(page, load, show, sheet = "styles/thennow.css") {
  try {
    const [dialogs] = await Promise.all([load(), styled(sheet)]);
    show(dialogs);
  } catch (error) {
    page.showError(new Problem({ type: "/problems/offline", detail: error.message }));
  }
}

/** Loads an optional style sheet: a promise, or null if it is loaded already. */
export function styled(sheet) {
  const known = document.querySelector(`link[href="${sheet}"]`);
  if (known?.sheet) return null;
  const link = document.createElement("link");
  return new Promise((resolve, reject) => {
    link.rel = "stylesheet";
    link.href = sheet;
    link.onload = resolve;
    link.onerror = () => {
      link.remove();
      reject(new Error());
    };
    document.head.append(link);
  });
}
