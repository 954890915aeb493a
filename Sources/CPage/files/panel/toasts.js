// Short messages at the top that disappear by themselves: confirmations, errors, and alerts.

import { byId, element, icon, picture } from "../dom.js";

const shownMilliseconds = 12_000;
const maximumAtOnce = 3;

/** Shows messages. */
export class Toasts {
  #region = byId("toasts");
  #words;

  /** Creates the region's messages. */
  constructor(words) {
    this.#words = words;
  }

  /**
   * Shows a message.
   *
   * - `cover`: the photo beside it; `action`: the action of its button, instead of closing it;
   *  `label`: the label of that button, by default «Show».
   */
  show(title, detail = "", { cover, action, label } = {}) {
    const toast = element(cover ? "div.toast" : "div.toast.plain", {},
      cover && picture(cover, { size: 256, isLazy: false }),
      element("div", {}, element("b", {}, title), element("span", {}, detail)),
      action ? this.#action(() => toast.remove(), action, label) : this.#close(() => toast.remove()));
    this.#region.append(toast);
    while (this.#region.children.length > maximumAtOnce) this.#region.firstElementChild.remove();
    setTimeout(() => this.#expire(toast), shownMilliseconds);
  }

  // A message that is hovered or focused stays.
  #expire(toast) {
    if (toast.matches(":hover, :focus-within")) setTimeout(() => this.#expire(toast), 2000);
    else toast.remove();
  }

  #action(close, action, label = this.#words.say("alerts.show")) {
    return element("button.button.small.main", {
      type: "button",
      onclick: () => {
        close();
        action();
      },
    }, label);
  }

  #close(close) {
    const label = this.#words.say("toast.close");
    return element("button.plain-icon", {
      type: "button", "aria-label": label, onclick: close,
    }, icon("close"));
  }
}
