// Form fields: a slider with its value, a switch, and choices among a few options.

import { element } from "../dom.js";

// Fields return their element, whose `show` sets the value, unless the person is changing it.
const showing = (node, show) => Object.assign(node, { show });

/** A slider under its label; `onInput` receives each value, `onChange` the final one. */
export function slider({ label, least, most, step, value, text, help, onInput, onChange }) {
  const output = element("output", { "aria-hidden": true });
  let isMoving = false;
  const input = element("input.range", {
    type: "range", min: least, max: most, step, "aria-label": label,
    oninput: () => {
      isMoving = true;
      say(Number(input.value));
      onInput?.(Number(input.value));
    },
    onchange: () => {
      isMoving = false;
      onChange?.(Number(input.value));
    },
  });

  function say(shown) {
    output.textContent = text(shown);
    input.setAttribute("aria-valuetext", output.textContent);
  }

  function show(next) {
    if (isMoving) return false;
    input.value = next;
    say(next);
    return true;
  }

  show(value);
  return showing(element("div.field", {},
    element("div.label", {}, element("span", {}, label), output), input,
    help && element("p.help", {}, help)), show);
}

/** A switch beside its label. */
export function toggle({ label, help, isOn, onChange }) {
  const input = element("input", {
    type: "checkbox", role: "switch", "aria-label": label, onchange: () => onChange(input.checked),
  });
  const show = (next) => input.checked = next;
  show(isOn);
  return showing(element("label.switch", {},
    element("span", {}, label, help && element("span.help", {}, help)), input), show);
}

/** A group of buttons, one of them pressed: `options` are values with their texts. */
export function choice({ label, options, value, onChange }) {
  const buttons = options.map(([option, text]) => element("button", {
    type: "button",
    onclick: () => {
      show(option);
      onChange(option);
    },
  }, text));
  function show(next) {
    options.forEach(([option], index) =>
      buttons[index].setAttribute("aria-pressed", String(option === next)));
  }
  show(value);
  return showing(element("div.field", {}, element("div.label", {}, label),
    element("div.choice", { role: "group", "aria-label": label }, buttons)), show);
}

/** Shows a value in a text field, unless the person is writing another one. */
export function showText(input, value) {
  const isWriting = document.activeElement === input && input.value !== (input.dataset.shown ?? "");
  if (!isWriting) input.value = value;
  input.dataset.shown = value;
}

/** The text that a person wrote in a field; from now on the field can show another one. */
export function writtenText(input) {
  input.dataset.shown = input.value;
  return input.value.trim();
}

/** A field under its label. */
export const labelled = (label, input, help) => {
  input.setAttribute("aria-label", label);
  return element("div.field", {}, element("div.label", {}, label), input,
    help && element("p.help", {}, help));
};

/**
 * A radio group: one option is in the tab order, and arrow keys select the next.
 *
 * - `kind`: its class; `options`: values, the content of each, and a name if that is not a text.
 */
export function radios({ label, kind, options, value, onChange }) {
  const choose = (index) => {
    buttons.forEach((one, place) => {
      one.setAttribute("aria-checked", String(place === index));
      one.tabIndex = place === index ? 0 : -1;
    });
    onChange(options[index][0]);
  };
  const buttons = options.map(([option, shown, name], index) => element("button", {
    type: "button", role: "radio", "aria-label": name, "aria-checked": option === value,
    tabindex: option === value ? 0 : -1,
    onclick: () => choose(index),
    onkeydown: (event) => {
      const by = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
      if (!by) return;
      event.preventDefault();
      const next = (index + by + options.length) % options.length;
      buttons[next].focus();
      choose(next);
    },
  }, shown));
  return element(`div.${kind}`, { role: "radiogroup", "aria-label": label }, buttons);
}
