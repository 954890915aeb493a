// The old photo over the camera's view: as outlines, faded, split, or as the difference.

import { element } from "../dom.js";
import { middle } from "../align/picture.js";
import { drawnPart, sizeOf } from "../thennow/pictures.js";

/** The overlay modes; the first is the default. */
export const overlays = ["outline", "fade", "split", "difference"];

const outlinePixels = 720;
// The share of pixels without a line, and of those below full strength.
const noLine = 0.82;
const fullLine = 0.965;
const lineColor = [255, 246, 214];

/** The old photo over a video; `show` shows one of `overlays`, by an amount from 0 to 100. */
export function overlay(image) {
  const picture = element("img.old", { alt: "" });
  picture.src = image.src;
  const lines = outline(image);
  const seam = element("div.seam");
  return {
    parts: [picture, lines, seam],
    show(name, amount) {
      picture.hidden = name === "outline";
      lines.hidden = name !== "outline";
      seam.hidden = name !== "split";
      picture.style.mixBlendMode = name === "difference" ? "difference" : "";
      // At half the amount the difference is complete, so that aligned parts are dark.
      picture.style.opacity = name === "fade" ? amount / 100
        : name === "difference" ? Math.min(1, amount / 50) : 1;
      picture.style.clipPath = name === "split" ? `inset(0 0 0 ${amount}%)` : "";
      seam.style.left = `${amount}%`;
      lines.style.opacity = Math.min(1, amount / 60);
    },
  };
}

// The edges of a picture, drawn in a light color.
function outline(image) {
  const whole = sizeOf(image);
  const scale = Math.min(1, outlinePixels / Math.max(whole.width, whole.height));
  const [width, height] = [whole.width, whole.height]
    .map((side) => Math.max(1, Math.round(side * scale)));
  const small = drawnPart(image, middle(whole, whole.width / whole.height), { width, height });
  const blurred = new OffscreenCanvas(width, height).getContext("2d", { willReadFrequently: true });
  blurred.filter = "grayscale(1) blur(1.1px)";
  blurred.drawImage(small, 0, 0);
  const { data } = blurred.getImageData(0, 0, width, height);
  const strengths = new Float32Array(width * height);
  for (let y = 1; y < height - 1; y++) {
    for (let x = 1; x < width - 1; x++) {
      const at = 4 * (y * width + x);
      const across = data[at + 4] - data[at - 4];
      const down = data[at + 4 * width] - data[at - 4 * width];
      strengths[at / 4] = Math.hypot(across, down);
    }
  }
  const sorted = strengths.slice().sort();
  const least = sorted[Math.floor(sorted.length * noLine)];
  const most = sorted[Math.floor(sorted.length * fullLine)] + 1;
  const canvas = element("canvas.old", { width, height, "aria-hidden": true });
  const context = canvas.getContext("2d");
  const drawn = context.createImageData(width, height);
  strengths.forEach((strength, index) => {
    const share = Math.max(0, Math.min(1, (strength - least) / (most - least)));
    drawn.data.set([...lineColor, 235 * share ** 0.8], 4 * index);
  });
  context.putImageData(drawn, 0, 0);
  return canvas;
}
