// Pictures of photos as they are compared: loaded, cut to a shape, small and grey.

import { pictureAddress } from "../api.js";
import { greyOf, middle } from "../align/picture.js";

const comparedPixels = 512;

/** The image at an address, once it is there; throws where it is none. */
export async function loaded(address) {
  const image = new Image();
  image.src = address;
  await image.decode();
  return image;
}

/** The picture of a photo from which the small grey ones are made. */
export const pictureToCompare = (id) => loaded(pictureAddress(id, comparedPixels));

/** The size of an image, a video or a bitmap, in its own pixels. */
export const sizeOf = (source) => ({
  width: source.naturalWidth || source.videoWidth || source.width || 0,
  height: source.naturalHeight || source.videoHeight || source.height || 0,
});

/**
 * The middle of an image, in the shape of a size: grey.
 *
 * It is drawn in halves down to its size, so that no pixel is left out.
 */
export function greyPicture(source, size) {
  const from = sizeOf(source);
  if (!from.width || !from.height) return null;
  let part = middle(from, size.width / size.height);
  let drawn = source;
  while (part.width > 4 * size.width) {
    const half = { width: Math.ceil(part.width / 2), height: Math.ceil(part.height / 2) };
    drawn = drawnPart(drawn, part, half);
    part = { x: 0, y: 0, ...half };
  }
  const context = drawnPart(drawn, part, size).getContext("2d");
  return greyOf(context.getImageData(0, 0, size.width, size.height));
}

/** A canvas of a size with a part of an image. */
export function drawnPart(source, { x, y, width, height }, size) {
  const canvas = new OffscreenCanvas(Math.max(1, size.width), Math.max(1, size.height));
  const context = canvas.getContext("2d", { willReadFrequently: size.width <= 256 });
  context.imageSmoothingQuality = "high";
  context.drawImage(source, x, y, width, height, 0, 0, canvas.width, canvas.height);
  return canvas;
}
