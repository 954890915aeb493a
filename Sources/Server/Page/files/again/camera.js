// The camera: its stream, its frames as small grey pictures, and photos at full resolution.

import { comparedSize, middle } from "../align/picture.js";
import { drawnPart, greyPicture, sizeOf } from "../thennow/pictures.js";

// The JPEG qualities, in the order tried until a photo is within the server's size limit.
const qualities = [0.93, 0.85, 0.7, 0.5];
const longestFile = 32 * 2 ** 20;
const photoSeconds = 5;
// The maximum pixels of a photo, so that a canvas can hold it.
const maximumPixels = 48_000_000;

/** Opens the rear camera's stream; throws the reason if there is none. */
export async function openCamera() {
  if (!navigator.mediaDevices?.getUserMedia) {
    throw Object.assign(new Error(), { name: "InsecureError" });
  }
  return navigator.mediaDevices.getUserMedia({
    audio: false,
    video: { facingMode: "environment", width: { ideal: 4096 }, height: { ideal: 3072 } },
  });
}

/** The center of a camera frame or an image, cropped to the old photo's shape, small and grey. */
export const greyFrame = (source, shape) =>
  greyPicture(source, comparedSize({ width: shape, height: 1 }));

/**
 * Takes a photo at the camera's full resolution, cropped to the shape of the old photo, as
 * `{ jpeg, grey }`.
 *
 * A camera may take photos with more pixels than its video. `isBetter` returns whether the photo
 * shows the same section, since some cameras crop photos differently.
 */
export async function takePhoto(stream, video, shape, isBetter) {
  const frame = cut(video, shape);
  const frameGrey = greyFrame(frame, shape);
  const photo = await wholePhoto(stream).catch(() => null);
  if (photo && photo.width * photo.height > 1.2 * frame.width * frame.height) {
    const canvas = cut(photo, shape);
    const grey = greyFrame(canvas, shape);
    photo.close();
    if (await isBetter(grey, frameGrey)) return { jpeg: await jpegOf(canvas), grey };
  }
  return { jpeg: await jpegOf(frame), grey: frameGrey };
}

/**
 * Reads a photo taken with the camera app, cropped to the shape of the old one, with its time;
 * throws if it is not a photo.
 */
export async function photoOfFile(file, shape) {
  const image = await createImageBitmap(file, { imageOrientation: "from-image" });
  const canvas = cut(image, shape);
  image.close();
  return {
    jpeg: await jpegOf(canvas), grey: greyFrame(canvas, shape), time: new Date(file.lastModified),
  };
}

function cut(source, shape) {
  const part = middle(sizeOf(source), shape);
  const scale = Math.min(1, Math.sqrt(maximumPixels / (part.width * part.height)));
  return drawnPart(source, part, {
    width: Math.round(part.width * scale), height: Math.round(part.height * scale),
  });
}

async function jpegOf(canvas) {
  let jpeg = null;
  for (const quality of qualities) {
    jpeg = await canvas.convertToBlob({ type: "image/jpeg", quality });
    if (jpeg.size <= longestFile) break;
  }
  return jpeg;
}

async function wholePhoto(stream) {
  const [track] = stream.getVideoTracks();
  if (!globalThis.ImageCapture || track.readyState !== "live") return null;
  const late = new Promise((_, reject) => {
    setTimeout(reject, 1000 * photoSeconds, new Error());
  });
  const blob = await Promise.race([new ImageCapture(track).takePhoto(), late]);
  return createImageBitmap(blob, { imageOrientation: "from-image" });
}
