// Then and now in one picture to share. It is drawn here, so it has no metadata and no position.

import { middle } from "../align/picture.js";
import { sizeOf } from "../thennow/pictures.js";

const longSide = 1080;
const gap = 12;

/** The positions of two pictures on a card: wide pictures are stacked. Pure. */
export function cardLayout(shape) {
  const isWide = shape >= 1;
  const width = isWide ? longSide : Math.round(longSide * shape);
  const height = isWide ? Math.round(longSide / shape) : longSide;
  const then = { x: 0, y: 0, width, height };
  const now = isWide ? { ...then, y: height + gap } : { ...then, x: width + gap };
  return { width: now.x + width, height: now.y + height, then, now };
}

/** The card of two images with their years, as a JPEG. */
export async function thenAndNow({ then, now }) {
  const size = sizeOf(then.image);
  const layout = cardLayout(size.width / size.height);
  const canvas = new OffscreenCanvas(layout.width, layout.height);
  const context = canvas.getContext("2d");
  context.imageSmoothingQuality = "high";
  context.fillStyle = "#14181b";
  context.fillRect(0, 0, layout.width, layout.height);
  for (const [{ image, year }, box] of [[then, layout.then], [now, layout.now]]) {
    const part = middle(sizeOf(image), box.width / box.height);
    context.drawImage(image, part.x, part.y, part.width, part.height,
      box.x, box.y, box.width, box.height);
    label(context, year, box);
  }
  return canvas.convertToBlob({ type: "image/jpeg", quality: 0.9 });
}

function label(context, text, { x, y }) {
  context.font = "700 40px system-ui, sans-serif";
  context.textBaseline = "middle";
  const { width } = context.measureText(text);
  context.fillStyle = "#000a";
  context.beginPath();
  context.roundRect(x + 24, y + 24, width + 40, 64, 16);
  context.fill();
  context.fillStyle = "#fff";
  context.fillText(text, x + 44, y + 58);
}
