// Opens the dialogs that compare and take again, whose modules are loaded once somebody does.

import { Problem } from "../api.js";


/** Opens the dialog that compares two photos of a spot. */
export const openCompare = (page, spot, id = null) =>
  open(page, () => import("../thennow/compare.js"),
    (dialogs) => dialogs.openCompare(page, spot, id));

/** Opens the camera over a photo of a spot, its cover where none is named. */
export const openAgain = (page, spot, id = null) =>
  open(page, () => import("../again/again.js"),
    (dialogs) => dialogs.openAgain(page, spot, id));

/** Whether a photo taken here can be kept. */
export const canTakeAgain = ({ store }) =>
  store.get("status")?.features?.includes("recreations") ?? false;

async function open(page, load, show) {
  try {
    const [dialogs] = await Promise.all([load(), styled("styles/thennow.css")]);
    show(dialogs);
  } catch (error) {
    page.tellProblem(new Problem({ type: "/problems/offline", detail: error.message }));
  }
}

/** Loads a sheet of styles that not every page needs; settled once it holds. */
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
