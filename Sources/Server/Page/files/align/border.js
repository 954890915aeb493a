// The border of a print scanned with its paper: white, cream or black, on all sides, with straight,
// curved or ragged edges. Its edges are not part of the view. Pure.

// The maximum difference of paper from the border's tone, in grey levels.
const toneLevels = 22;
// The share of a line's pixels with the tone, for a line in the border.
const paperShare = 0.72;
// The minimum and maximum widths of a border, as shares of the picture's side.
const [narrowest, widest] = [0.015, 0.28];
// The depth to which edges curve into the picture, and the adjacent margin, in pixels.
const curve = 5;
const beside = 3;

/**
 * A mask of a picture inside its border: 1 in the picture, 0 in the border and next to it; null
 * without a border.
 */
export function withinBorder(picture) {
  const { width, height, values } = picture;
  const tone = toneOfEdge(picture);
  const isPaper = (at) => Math.abs(values[at] - tone) <= toneLevels;
  const lineAt = (isRow, from) => Array.from({ length: isRow ? width : height },
    (_, index) => (isRow ? from * width + index : index * width + from));
  const margin = (isRow, isLast) => {
    const count = isRow ? height : width;
    for (let depth = 0; depth < count * widest; depth++) {
      const line = lineAt(isRow, isLast ? count - 1 - depth : depth);
      if (line.filter(isPaper).length < paperShare * line.length) return depth / count;
    }
    return widest;
  };
  const margins = {
    top: margin(true, false), bottom: margin(true, true),
    left: margin(false, false), right: margin(false, true),
  };
  const isBordered = Object.values(margins).every((share) => share >= narrowest && share < widest);
  return isBordered ? mask(picture, margins, isPaper) : null;
}

// The median of the outermost pixels.
function toneOfEdge({ width, height, values }) {
  const tones = [];
  for (let x = 0; x < width; x++) tones.push(values[x], values[(height - 1) * width + x]);
  for (let y = 0; y < height; y++) tones.push(values[y * width], values[(y + 1) * width - 1]);
  return tones.sort((one, other) => one - other)[tones.length >> 1];
}

// The paper connected to the edge, not much deeper than the margins, and the pixels next to it.
function mask({ width, height }, margins, isPaper) {
  const left = margins.left * width + curve;
  const right = width - 1 - margins.right * width - curve;
  const top = margins.top * height + curve;
  const bottom = height - 1 - margins.bottom * height - curve;
  const isBorder = new Uint8Array(width * height);
  const waiting = [];
  const visit = (x, y) => {
    if (x < 0 || y < 0 || x >= width || y >= height) return;
    const at = y * width + x;
    const isDeep = x > left && x < right && y > top && y < bottom;
    if (isBorder[at] || isDeep || !isPaper(at)) return;
    isBorder[at] = 1;
    waiting.push([x, y]);
  };
  for (let x = 0; x < width; x++) [0, height - 1].forEach((y) => visit(x, y));
  for (let y = 0; y < height; y++) [0, width - 1].forEach((x) => visit(x, y));
  while (waiting.length > 0) {
    const [x, y] = waiting.pop();
    visit(x - 1, y);
    visit(x + 1, y);
    visit(x, y - 1);
    visit(x, y + 1);
  }
  const inside = new Uint8Array(width * height).fill(1);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      if (!isBorder[y * width + x]) continue;
      for (let by = Math.max(0, y - beside); by <= Math.min(height - 1, y + beside); by++) {
        inside.fill(0, by * width + Math.max(0, x - beside),
          by * width + Math.min(width, x + beside + 1));
      }
    }
  }
  return inside;
}
