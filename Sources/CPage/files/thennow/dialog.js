// A dialog as large as the window, which is made when it is opened and gone when it is closed.

import { element, icon } from "../dom.js";

/** A dialog of a class; `onClose` is called once it is closed, however that is done. */
export function openDialog(className, onClose) {
  const dialog = element(`dialog.photo.${className}`);
  dialog.addEventListener("close", () => {
    dialog.remove();
    onClose();
  });
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

/** The bar at the top of a dialog: a button that closes it, a title, a line below it, and more. */
export function dialogBar(dialog, { label, title, line }, ...more) {
  const close = element("button.plain-icon", {
    type: "button", "aria-label": label, onclick: () => dialog.close(),
  }, icon("close"));
  const bar = element("div.bar", {}, close, element("div.titles", {},
    element("h2.title", {}, title), element("div.soft", {}, line)), ...more);
  return { bar, close };
}
