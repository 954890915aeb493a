// A photo that the server refused. It stays in the browser until the person keeps it as a file, or
// chooses the old photo that it belongs to.

import { element, icon, picture, redraw, setText } from "../dom.js";
import { dialogBar, openDialog } from "../thennow/dialog.js";
import { button, problemTexts } from "../views/parts.js";
import { Unsent } from "./unsent.js";

const nearMeters = 2000;
const spotCount = 6;
const photoCount = 24;

/** Shows a stored photo, the reason why it was refused, and what can be done. */
export async function showRefused(page, key, problem) {
  const { client, words } = page;
  const { say } = words;
  const unsent = new Unsent();
  const kept = await unsent.get(key);
  if (!kept) return;
  const address = URL.createObjectURL(kept.jpeg);
  const dialog = openDialog(page, "again", () => URL.revokeObjectURL(address));
  const { bar, close } = dialogBar(dialog, {
    label: say("again.later"), title: say("again.refused"), line: problemTexts(problem, words).title,
  });
  const status = element("p.wrong", { role: "status" });
  const near = element("div.cells");
  const name = `${(kept.time ?? "photo").slice(0, 19).replaceAll(":", ".")}.jpg`;
  // The file is the person's own, so the browser's copy is removed.
  const file = element("a.button.wide", {
    href: address, download: name,
    onclick: () => setTimeout(async () => {
      await unsent.forget(key);
      dialog.close();
    }),
  }, icon("share"), say("again.keepHere"));
  const other = button("main.wide", null, say("again.choose"), showNear);
  const controls = element("div.controls", {}, element("p", {}, say("again.refusedDetail")), status,
    near, element("div.actions", {}, file, other));
  dialog.setAttribute("aria-label", say("again.refused"));
  redraw(dialog, bar, element("div.body", {},
    element("div.stage", {}, element("img.then-now", { src: address, alt: say("again.now") })),
    controls));
  close.focus();

  async function showNear() {
    try {
      const photos = await photosNear(client, kept);
      if (photos.length === 0) return setText(status, say("again.noneNear"));
      near.setAttribute("role", "group");
      near.setAttribute("aria-label", say("again.near"));
      redraw(near, ...photos.map(({ photo, spot }) => element("button.cell", {
        type: "button", "aria-label": words.day(photo.captured), onclick: () => send(photo, spot),
      }, picture(photo.id, { size: 256 }))));
      near.firstElementChild.focus();
    } catch (failure) {
      setText(status, problemTexts(failure, words).title);
    }
  }

  async function send(photo, spot) {
    try {
      await unsent.change(key, { photo: photo.id, spot: spot.id, name: photo.name, sentAt: null });
      await unsent.send(client, key);
      dialog.close();
      page.toasts.show(say("again.sent", { count: 1 }));
    } catch (failure) {
      setText(status, problemTexts(failure, words).title);
    }
  }
}

/** The photos of the spots around the place where a stored photo was taken. */
async function photosNear(client, { latitude, longitude }) {
  const near = latitude == null ? {} : { near: `${latitude},${longitude}`, radius: nearMeters };
  const { items } = await client.get("spots", { ...near, limit: spotCount });
  const spots = await Promise.all(items.map(({ id }) =>
    client.get(`spots/${encodeURIComponent(id)}`)));
  return spots.flatMap((spot) => (spot.photos ?? []).map((photo) => ({ photo, spot })))
    .slice(0, photoCount);
}
