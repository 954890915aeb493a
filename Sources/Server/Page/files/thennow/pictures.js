// Prepares pictures of photos for a comparison: loaded, cropped, small and grey.

import { pictureAddress } from "../api.js";
import { greyOf, middle } from "../align/picture.js";

const comparedPixels = 512;

/** Loads and decodes the image at a URL; throws if there is none. */
export async function loaded(address) {
  const image = new Image();
  image.src = address;
  await image.decode();
  return image;
}

/** Loads the picture of a photo from which its grey pictures are made. */
export const pictureToCompare = (id) => loaded(pictureAddress(id, comparedPixels));

/** The size of an image, a video or a bitmap, in its own pixels. */
export const sizeOf = (source) => ({
  width: source.naturalWidth || source.videoWidth || source.width || 0,
  height: source.naturalHeight || source.videoHeight || source.height || 0,
});

/**
 * The center of an image, cropped to a size's shape and scaled to it, in grey; null if empty.
 *
 * Large images are halved repeatedly, so that every pixel contributes.
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

/** Draws a part of an image on a new canvas of a size. */
export function drawnPart(source, { x, y, width, height }, size) {
  const canvas = new OffscreenCanvas(Math.max(1, size.width), Math.max(1, size.height));
  const context = canvas.getContext("2d", { willReadFrequently: size.width <= 256 });
  context.imageSmoothingQuality = "high";
  context.drawImage(source, x, y, width, height, 0, 0, canvas.width, canvas.height);
  return canvas;
}
