// A dialog as large as the window, created when it is opened and removed when it is closed.

import { element, icon } from "../dom.js";

/** Opens a dialog with a class; `onClose` is called after it was closed in any way. */
export function openDialog({ layers }, className, onClose) {
  const dialog = element(`dialog.photo.${className}`);
  document.body.append(dialog);
  layers.show(dialog, () => {
    dialog.remove();
    onClose();
  });
  return dialog;
}

/** The bar at the top of a dialog: a close button, a title with a line below it, and more. */
export function dialogBar(dialog, { label, title, line }, ...more) {
  const close = element("button.plain-icon", {
    type: "button", "aria-label": label, onclick: () => dialog.close(),
  }, icon("close"));
  const bar = element("div.bar", {}, close, element("div.titles", {},
    element("h2.title", {}, title), element("div.soft", {}, line)), ...more);
  return { bar, close };
}
