// Then and now as one picture, which the server makes: shared, or kept as a file.

import { Problem } from "../api.js";

/** The name of the picture's file. */
export const pictureName = "then-and-now.jpg";

/**
 * The picture of two photos as a file; throws a `Problem` where there is none.
 *
 * - `earlier`, `later`: the ids of photos, or of pictures taken again.
 */
export async function pairPicture(client, earlier, later) {
  const picture = await client.file("share", { earlier, later });
  if (!picture.type.startsWith("image/")) throw new Problem({ status: 415 });
  return new File([picture], pictureName, { type: picture.type });
}

/** Whether this browser hands files to other apps: the Web Share API. */
export function canShare(file = new File([], pictureName, { type: "image/jpeg" })) {
  return navigator.canShare?.({ files: [file] }) ?? false;
}

/**
 * Hands a file to another app. Whether that was begun: a browser that waited long for the file may
 * want another tap.
 */
export async function share(file) {
  try {
    await navigator.share({ files: [file] });
    return true;
  } catch (error) {
    return error.name !== "NotAllowedError";
  }
}

/** Keeps a file as a download. */
export function keep(file) {
  const link = document.createElement("a");
  Object.assign(link, { href: URL.createObjectURL(file), download: file.name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
