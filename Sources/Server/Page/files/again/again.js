// Take it again: the camera view with the old photo as an overlay, then the review of the new
// photo, then the result.

import { pictureAddress } from "../api.js";
import { element, redraw, setText } from "../dom.js";
import { empty } from "../views/parts.js";
import { Alignments } from "../thennow/alignments.js";
import { dialogBar, openDialog } from "../thennow/dialog.js";
import { loaded, sizeOf } from "../thennow/pictures.js";
import { greyFrame } from "./camera.js";
import { review } from "./review.js";
import { shoot } from "./shoot.js";

const pictureSize = 1024;

/** Opens the camera view for a photo of a spot, by its id, or for the spot's cover. */
export function openAgain(page, spot, id) {
  const { words } = page;
  const { say } = words;
  const byId = (name) => spot.photos.find((photo) => photo.id === name);
  const alignments = new Alignments();
  const ends = new AbortController();
  let step = new AbortController();

  const dialog = openDialog(page, "again", () => {
    ends.abort();
    step.abort();
    alignments.close();
  });
  const score = element("span.score", { hidden: true });
  const { bar, close } = dialogBar(dialog, {
    label: say("again.close"), title: say("again.open"), line: "",
  }, score);
  const body = element("div.body");
  redraw(dialog, bar, body);
  close.focus();

  /** The state shared by the steps; a step ends when the next one begins. */
  const session = {
    page, spot, body, photo: null, old: null, shape: 1,
    async open(photo) {
      const { signal } = next();
      session.photo = photo;
      name(photo);
      showScore(null);
      const old = await loaded(pictureAddress(photo.id, pictureSize)).catch(() => null);
      if (signal.aborted) return;
      if (!old) return redraw(body, empty("camera", say("problem.no-picture"), ""));
      const size = sizeOf(old);
      Object.assign(session, { old, shape: size.width / size.height });
      alignments.prepare(photo.id, greyFrame(old, session.shape));
      shoot(session, signal);
    },
    /** Returns the alignment of the old view in a small grey picture. */
    align: (picture, options) => alignments.find(session.photo.id, null, picture, options),
    review: (taken) => review(session, taken, next().signal),
    again: () => shoot(session, next().signal),
    showScore,
  };

  function next() {
    step.abort();
    step = new AbortController();
    if (ends.signal.aborted) step.abort();
    return step;
  }

  function name(photo) {
    const year = words.year(photo.captured) ?? say("date.none");
    const place = words.place(spot);
    dialog.setAttribute("aria-label", say("again.dialog", { year, place }));
    setText(bar.querySelector(".soft"),
      say("list.two", { first: words.day(photo.captured), second: place }));
  }

  function showScore(value) {
    score.hidden = value === null;
    setText(score, value === null ? "" : say("again.score", { score: value }));
  }

  session.open(byId(id) ?? byId(spot.cover) ?? spot.photos[0]);
}
