// Short messages at the top that disappear by themselves: confirmations, errors, and alerts.

import { byId, element, icon, picture } from "../dom.js";

const shownMilliseconds = 12_000;
const maximumAtOnce = 3;

/**
 * Whether a message is like one that is shown, so that it is not repeated. Pure.
 *
 * Those with an action are not alike, since the actions may differ.
 */
export const isAlike = (one, other) =>
  !one.action && !other.action && one.title === other.title && one.detail === other.detail;

/** Shows messages. */
export class Toasts {
  #region = byId("toasts");
  #shown = [];
  #words;

  /** Creates the region's messages. */
  constructor(words) {
    this.#words = words;
  }

  /**
   * Shows a message. One that is shown already stays for longer instead.
   *
   * - `cover`: the photo beside it; `action`: the action of its button, instead of closing it;
   *  `label`: the label of that button, by default «Show».
   */
  show(title, detail = "", { cover, action, label } = {}) {
    const message = { title, detail, action };
    const known = this.#shown.find((one) => isAlike(one, message));
    if (known) return this.#expireLater(known);
    const close = () => this.#remove(message);
    message.toast = element(cover ? "div.toast" : "div.toast.plain", {},
      cover && picture(cover, { size: 256, isLazy: false }),
      element("div", {}, element("b", {}, title), element("span", {}, detail)),
      action ? this.#action(close, action, label) : this.#close(close));
    this.#region.append(message.toast);
    this.#shown.push(message);
    while (this.#shown.length > maximumAtOnce) {
      this.#remove(this.#shown.find(({ toast }) => !isUsed(toast)) ?? this.#shown[0]);
    }
    this.#expireLater(message);
  }

  #expireLater(message, milliseconds = shownMilliseconds) {
    clearTimeout(message.timer);
    message.timer = setTimeout(() => {
      if (isUsed(message.toast)) this.#expireLater(message, 2000);
      else this.#remove(message);
    }, milliseconds);
  }

  // If a removed message has the focus, another one gets it, or the panel.
  #remove(message) {
    clearTimeout(message.timer);
    this.#shown = this.#shown.filter((one) => one !== message);
    const hadFocus = message.toast.contains(document.activeElement);
    message.toast.remove();
    if (!hadFocus) return;
    const next = this.#shown.at(-1)?.toast.querySelector("button");
    (next ?? byId("view")).focus({ preventScroll: true });
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

// A message that is hovered or focused stays.
const isUsed = (toast) => toast.matches(":hover, :focus-within");
