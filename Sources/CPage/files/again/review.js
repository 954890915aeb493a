// The photo that was taken beside the old one; it is saved, or taken again. Then what came of it:
// then and now as one picture, to be shared.

import { element, icon, setText } from "../dom.js";
import { loaded } from "../thennow/pictures.js";
import { reveal } from "../thennow/reveal.js";
import { canShare, pairPicture, pictureName, share } from "../thennow/share.js";
import { button, problemTexts } from "../views/parts.js";
import { thenAndNow } from "./card.js";
import { isForLater, sendOnce, Unsent, wallTime } from "./unsent.js";

/**
 * Shows a photo that was taken, until the signal is aborted.
 *
 * - `taken`: `{ jpeg, grey }` of `takePhoto`, and `time` where it was taken before.
 */
export async function review(session, taken, signal) {
  const { page, photo, body, old } = session;
  const { words } = page;
  const { say } = words;
  const time = wallTime(taken.time ?? page.now());
  const address = URL.createObjectURL(taken.jpeg);
  signal.addEventListener("abort", () => URL.revokeObjectURL(address));
  const [now, found] = await Promise.all([loaded(address), session.align(taken.grey)]);
  if (signal.aborted) return;
  const score = found?.score ?? null;
  session.showScore(score === null ? null : Math.round(100 * score));
  const years = {
    then: words.year(photo.captured) ?? say("date.none"), now: String(page.now().getFullYear()),
  };
  const slider = reveal({
    earlier: { image: old.cloneNode(), year: years.then },
    later: { image: now, year: years.now }, say,
  });
  // The attributes of an image that is not loaded yet say nothing of its shape.
  slider.box.style.setProperty("--shape", session.shape);
  const wrong = element("p.wrong", { role: "alert" });
  const save = button("main.wide", null, say("again.save"), () => keep());
  const again = button("wide", "again", say("again.again"), () => session.again());
  body.replaceChildren(element("div.stage", {}, slider.box), element("div.controls", {}, wrong,
    element("div.actions", {}, again, save)));
  slider.range.focus();

  const unsent = new Unsent();
  let key = null;

  async function keep() {
    save.disabled = true;
    setText(wrong, "");
    setText(save, say("again.saving"));
    const kept = { photo: photo.id, score, time, jpeg: taken.jpeg, sentAt: null };
    // Where a browser keeps nothing, it is sent from here only.
    key ??= await unsent.keep(kept).catch(() => null);
    try {
      const saved = key === null ? await sendOnce(page.client, kept, () => {})
        : await unsent.send(page.client, key);
      if (!signal.aborted) showSaved(session, { now, years, saved }, true, signal);
    } catch (problem) {
      if (signal.aborted) return;
      if (key !== null && isForLater(problem)) {
        return showSaved(session, { now, years, saved: null }, false, signal);
      }
      const { title, detail } = problemTexts(problem, words);
      setText(wrong, [title, detail].filter(Boolean).reduce((first, second) =>
        say("list.two", { first, second })));
      save.disabled = false;
      setText(save, say("again.save"));
    }
  }
}

// The server's picture; one that is drawn here where it does not have both photos, or shows none of
// them, as it does of PNG files.
async function pairFile({ page, photo, old }, { now, years, saved }) {
  if (saved) {
    const picture = await pairPicture(page.client, photo.id, saved.id).catch(() => null);
    if (picture) return picture;
  }
  const card = await thenAndNow({
    then: { image: old, year: years.then }, now: { image: now, year: years.now },
  });
  return new File([card], pictureName, { type: card.type });
}

async function showSaved(session, pair, isSent, signal) {
  const { page, spot, body, dialog } = session;
  const { say, place, photos } = page.words;
  session.showScore(null);
  const file = await pairFile(session, pair);
  if (signal.aborted) return;
  const address = URL.createObjectURL(file);
  signal.addEventListener("abort", () => URL.revokeObjectURL(address));
  const sharing = canShare(file) ? button("wide", "share", say("again.share"), () => share(file))
    : element("a.button.wide", { href: address, download: file.name },
      icon("share"), say("again.keep"));
  const done = button("main.wide", null, say("again.done"), () => {
    dialog.close();
    page.go({ view: "spot", id: spot.id });
  });
  const status = element("p.saved", { role: "status" });
  body.replaceChildren(
    element("div.stage", {},
      element("img.then-now", { src: address, alt: say("again.card", pair.years) })),
    element("div.controls", {}, status, element("div.actions", {}, sharing, done)));
  // A region tells what comes into it.
  setText(status, isSent
    ? say("again.saved", { place: place(spot), photos: photos(spot.photoCount + 1) })
    : say("again.kept"));
  done.focus();
}
