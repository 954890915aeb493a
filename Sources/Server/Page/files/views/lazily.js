// Opens the dialogs for comparing and retaking photos, and loads their modules when needed.

import { Problem } from "../api.js";

/** Opens the dialog that compares two photos of a spot. */
export const openCompare = (page, spot, id = null) =>
  open(page, () => import("../thennow/compare.js"),
    (dialogs) => dialogs.openCompare(page, spot, id));

/** Opens the camera view for a photo of a spot, by default its cover. */
export const openAgain = (page, spot, id = null) =>
  open(page, () => import("../again/again.js"),
    (dialogs) => dialogs.openAgain(page, spot, id));

/** Whether the server saves photos taken again. */
export const canTakeAgain = ({ store }) =>
  store.get("status")?.features?.includes("recreations") ?? false;

async function open(page, load, show) {
  try {
    const [dialogs] = await Promise.all([load(), styled("styles/thennow.css")]);
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
