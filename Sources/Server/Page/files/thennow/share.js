// Shares or downloads the server's picture of two photos, then and now.

import { Problem } from "../api.js";

/** The file name of the picture. */
export const pictureName = "then-and-now.jpg";

/**
 * Returns the picture of two photos as a file; throws a `Problem` if the server has none.
 *
 * - `earlier`, `later`: the ids of photos, or of photos taken again.
 */
export async function pairPicture(client, earlier, later) {
  const picture = await client.file("share", { earlier, later });
  if (!picture.type.startsWith("image/")) throw new Problem({ type: "/problems/no-picture", status: 415 });
  return new File([picture], pictureName, { type: picture.type });
}

/** Whether the browser can share files with other apps (Web Share API). */
export function canShare(file = new File([], pictureName, { type: "image/jpeg" })) {
  return navigator.canShare?.({ files: [file] }) ?? false;
}

/**
 * Shares a file with another app. Returns false if the browser requires another tap, since the
 * last one was too long ago.
 */
export async function share(file) {
  try {
    await navigator.share({ files: [file] });
    return true;
  } catch (error) {
    return error.name !== "NotAllowedError";
  }
}

/** Downloads a file. */
export function keep(file) {
  const link = document.createElement("a");
  Object.assign(link, { href: URL.createObjectURL(file), download: file.name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
