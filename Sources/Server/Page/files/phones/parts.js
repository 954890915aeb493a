// Parts of the dialogs of phones: drawings, and buttons that copy a text.

import { element, setText } from "../dom.js";
import { button } from "../views/parts.js";

/** Draws a path in a square. */
export function drawn(path, size, attributes) {
  const [drawing, shape] = ["svg", "path"].map((tag) =>
    document.createElementNS("http://www.w3.org/2000/svg", tag));
  for (const [name, value] of Object.entries({ viewBox: `0 0 ${size} ${size}`, ...attributes })) {
    drawing.setAttribute(name, value);
  }
  shape.setAttribute("d", path);
  drawing.append(shape);
  return drawing;
}

/** A button that copies a text and says so. */
export function copyButton(words, text, label, name) {
  const copy = button("small", null, label, async () => {
    setText(copy, words.say(await copied(text, copy) ? "phone.copied" : "phone.notCopied"));
  });
  if (name) copy.setAttribute("aria-label", name);
  return copy;
}

async function copied(text, place) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // Without https there is no clipboard, but a field can be copied from after a click.
    const field = element("textarea", { value: text });
    place.after(field);
    field.select();
    const isDone = document.execCommand("copy");
    field.remove();
    place.focus();
    return isDone;
  }
}
