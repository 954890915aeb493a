// The new photo beside the old one, to be saved or taken again. Then the result: then and now as
// one picture to share.

import { element, icon, redraw, setText } from "../dom.js";
import { loaded } from "../thennow/pictures.js";
import { reveal } from "../thennow/reveal.js";
import { canShare, pairPicture, pictureName, share } from "../thennow/share.js";
import { button, problemTexts } from "../views/parts.js";
import { thenAndNow } from "./card.js";
import { showRefused } from "./refused.js";
import { isForLater, sendOnce, Unsent, wallTime } from "./unsent.js";

/**
 * Shows a photo that was taken, until the signal is aborted.
 *
 * - `taken`: `{ jpeg, grey }` of `takePhoto`, and `time` if it was taken earlier.
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
  // An image that is not loaded yet has no shape.
  slider.box.style.setProperty("--shape", session.shape);
  const wrong = element("p.wrong", { role: "alert" });
  const save = button("main.wide", null, say("again.save"), () => keep());
  const again = button("wide", "again", say("again.again"), () => session.again());
  redraw(body, element("div.stage", {}, slider.box), element("div.controls", {}, wrong,
    element("div.actions", {}, again, save)));
  slider.range.focus();

  const unsent = new Unsent();
  let key = null;

  async function keep() {
    save.disabled = true;
    setText(wrong, "");
    setText(save, say("again.saving"));
    const { latitude, longitude } = session.spot;
    const kept = {
      photo: photo.id, spot: session.spot.id, name: photo.name, latitude, longitude, score, time,
      jpeg: taken.jpeg, sentAt: null,
    };
    // Without storage in the browser, it can only be sent from here.
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
      if (key !== null) showRefused(page, key, problem);
      const { title, detail } = problemTexts(problem, words);
      setText(wrong, [title, detail].filter(Boolean).reduce((first, second) =>
        say("list.two", { first, second })));
      save.disabled = false;
      setText(save, say("again.save"));
      save.focus();
    }
  }
}

// The server's picture; drawn here if the server lacks one of the photos, or cannot display one
// (such as a PNG file).
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
  const { page, spot, body } = session;
  const { say, place, photos } = page.words;
  session.showScore(null);
  const file = await pairFile(session, pair);
  if (signal.aborted) return;
  const address = URL.createObjectURL(file);
  signal.addEventListener("abort", () => URL.revokeObjectURL(address));
  const sharing = canShare(file) ? button("wide", "share", say("again.share"), () => share(file))
    : element("a.button.wide", { href: address, download: file.name },
      icon("share"), say("again.keep"));
  const done = button("main.wide", null, say("again.done"), async () => {
    await page.layers.closeAll();
    const { view, id } = page.store.get("place");
    const isInstead = view === "spot" && id === spot.id;
    page.go({ view: "spot", id: spot.id, isInstead });
  });
  const status = element("p.saved", { role: "status" });
  redraw(body, 
    element("div.stage", {},
      element("img.then-now", { src: address, alt: say("again.card", pair.years) })),
    element("div.controls", {}, status, element("div.actions", {}, sharing, done)));
  // A live region announces its new content.
  setText(status, isSent
    ? say("again.saved", { place: place(spot), photos: photos(spot.photoCount + 1) })
    : say("again.kept"));
  done.focus();
}
