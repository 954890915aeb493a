// Form fields: a slider with its value, a switch, and choices among a few options.

import { element } from "../dom.js";

/** A slider under its label; `onInput` receives each value, `onChange` the final one. */
export function slider({ label, least, most, step, value, text, help, onInput, onChange }) {
  const output = element("output", { "aria-hidden": true }, text(value));
  const input = element("input.range", {
    type: "range", min: least, max: most, step, "aria-label": label, "aria-valuetext": text(value),
    oninput: () => {
      output.textContent = text(Number(input.value));
      input.setAttribute("aria-valuetext", output.textContent);
      onInput?.(Number(input.value));
    },
    onchange: () => onChange?.(Number(input.value)),
  });
  input.value = value;
  return element("div.field", {},
    element("div.label", {}, element("span", {}, label), output), input,
    help && element("p.help", {}, help));
}

/** A switch beside its label. */
export function toggle({ label, help, isOn, onChange }) {
  const input = element("input", {
    type: "checkbox", role: "switch", "aria-label": label, onchange: () => onChange(input.checked),
  });
  input.checked = isOn;
  return element("label.switch", {},
    element("span", {}, label, help && element("span.help", {}, help)), input);
}

/** A group of buttons, one of them pressed: `options` are values with their texts. */
export function choice({ label, options, value, onChange }) {
  const buttons = options.map(([option, text]) => element("button", {
    type: "button", "aria-pressed": option === value,
    onclick: (event) => {
      for (const one of buttons) one.setAttribute("aria-pressed", one === event.currentTarget);
      onChange(option);
    },
  }, text));
  return element("div.field", {}, element("div.label", {}, label),
    element("div.choice", { role: "group", "aria-label": label }, buttons));
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
