// A slider over two pictures of one view: the earlier one left of the seam, the later one right.

import { element } from "../dom.js";
import { inverse, similarity } from "../align/similarity.js";

/** The `style.transform` that moves a picture onto the view that was found in it. Pure. */
export function laterToEarlier({ turn, zoom, dx, dy }, { width, height }) {
  const { a, b, x, y } = inverse(similarity({ turn, zoom, x: dx, y: dy }));
  const percent = (part) => `${(100 * part).toFixed(3)}%`;
  const matrix = [a, b, -b, a, 0, 0].map((part) => part.toFixed(5)).join(",");
  return `translate(${percent(x)},${percent((y * width) / height)}) matrix(${matrix})`;
}

/**
 * A slider over two images, in the shape of the earlier one.
 *
 * - `earlier` and `later`: `{ image, year }`; `say`: returns texts.
 *
 * `lay` aligns the later image with the earlier one by a found view; null resets it.
 */
export function reveal({ earlier, later, say }) {
  const size = { width: earlier.image.naturalWidth, height: earlier.image.naturalHeight };
  const names = { earlier: earlier.year, later: later.year };
  for (const { image } of [earlier, later]) image.alt = "";
  const over = element("div.over-seam", {}, later.image);
  const seam = element("div.seam");
  const range = element("input", {
    type: "range", min: 0, max: 100, step: 1, "aria-label": say("compare.reveal", names),
    oninput: () => show(),
  });
  range.value = 50;
  const box = element("div.reveal", {}, earlier.image, over, seam,
    element("span.year.earlier", { "aria-hidden": true }, earlier.year),
    element("span.year.later", { "aria-hidden": true }, later.year), range);
  box.style.setProperty("--shape", size.width / size.height);

  function show() {
    over.style.clipPath = `inset(0 0 0 ${range.value}%)`;
    seam.style.left = `${range.value}%`;
    range.setAttribute("aria-valuetext",
      say("compare.value", { ...names, percent: Number(range.value) }));
  }

  show();
  return {
    box, range,
    lay: (found) => {
      later.image.style.transform = found ? laterToEarlier(found, size) : "";
    },
  };
}
