// The comparison of two photos of a spot under a slider, the later one aligned with the earlier.

import { pictureAddress } from "../api.js";
import { comparedSize } from "../align/picture.js";
import { element, icon, redraw, setText } from "../dom.js";
import { canTakeAgain, openAgain } from "../views/lazily.js";
import { button, empty, problemTexts } from "../views/parts.js";
import { Alignments } from "./alignments.js";
import { dialogBar, openDialog } from "./dialog.js";
import { pairToShow } from "./pairs.js";
import { greyPicture, loaded, pictureToCompare, sizeOf } from "./pictures.js";
import { reveal } from "./reveal.js";
import { canShare, keep, pairPicture, share } from "./share.js";

/** Opens the dialog, with the photo of an id, if given, as one of the two. */
export async function openCompare(page, spot, id) {
  const { words } = page;
  const { say } = words;
  const { photos } = spot;
  const alignments = new Alignments();
  const greys = new Map();
  let isOpen = true;
  let shown = null;

  const dialog = openDialog(page, "compare", () => {
    isOpen = false;
    alignments.close();
  });
  dialog.setAttribute("aria-label", say("compare.title"));
  const status = element("p", { role: "status" }, say("compare.looking"));
  const stage = element("div.stage", {}, element("div.empty", {}, icon("compare")));
  const selects = ["earlier", "later"].map((name) => element("select", {
    "aria-label": say(`compare.${name}`), onchange: () => show(selects.map(chosen)),
  }, photos.map((photo) => element("option", { value: photo.id }, words.day(photo.captured)))));
  const again = canTakeAgain(page) && button("main.small", "camera", say("again.open"), () => {
    const [earlier] = shown ?? photos;
    openAgain(page, spot, earlier.id);
  });
  const isShared = canShare();
  const sharing = element("button.plain-icon", {
    type: "button", "aria-label": say(isShared ? "again.share" : "again.keep"), hidden: true,
    onclick: () => shareShown(),
  }, icon("share"));
  const { bar, close } = dialogBar(dialog, {
    label: say("photo.close"), title: say("compare.title"), line: words.place(spot),
  }, sharing, again);
  redraw(dialog, bar, stage,
    element("div.foot.choices", {}, selects[0], status, selects[1]));
  for (const select of selects) select.disabled = true;
  close.focus();

  const chosen = (select) => photos.find((photo) => photo.id === select.value);
  const yearOf = (captured) => words.year(captured);
  const nameOf = ({ captured }) => words.year(captured) ?? say("date.none");

  // A photo's grey picture of a size; null if the photo has no picture.
  function grey(photo, size) {
    const key = `${photo.id} ${size.width} ${size.height}`;
    if (!greys.has(key)) {
      greys.set(key, pictureToCompare(photo.id)
        .then((image) => greyPicture(image, size), () => null));
    }
    return greys.get(key);
  }

  // Aligns the later photo with the earlier one's view; null if one of them has no picture.
  async function found(earlier, later) {
    const image = await pictureToCompare(earlier.id).catch(() => null);
    if (!image) return null;
    const size = comparedSize(sizeOf(image));
    const [view, picture] = await Promise.all([grey(earlier, size), grey(later, size)]);
    return view && picture && isOpen ? alignments.find(earlier.id, view, picture) : null;
  }

  // The ids of the shown photos, and the file to share once it is requested.
  let shared = null;

  async function shareShown() {
    const pair = shared;
    try {
      pair.file ??= pairPicture(page.client, ...pair.ids);
      const file = await pair.file;
      if (!isOpen || pair !== shared) return;
      if (!isShared) keep(file);
      else if (!await share(file)) setText(status, say("compare.shareNow"));
    } catch (problem) {
      pair.file = null;
      if (pair === shared) setText(status, problemTexts(problem, words).title);
    }
  }

  async function show([earlier, later]) {
    const isFirst = !shown;
    shown = [earlier, later];
    shared = null;
    sharing.hidden = true;
    const names = { earlier: nameOf(earlier), later: nameOf(later) };
    const title = say("compare.dialog", names);
    dialog.setAttribute("aria-label", title);
    setText(bar.querySelector(".title"), say("compare.pair", names));
    setText(status, say("compare.laying"));
    selects.forEach((select, index) => {
      select.disabled = false;
      select.value = shown[index].id;
    });
    const pictures = [earlier, later].map(({ id: one }) => loaded(pictureAddress(one, pixels())));
    const both = await Promise.allSettled(pictures);
    const isStill = () => isOpen && shown[0] === earlier && shown[1] === later;
    if (!isStill()) return;
    if (both.some(({ status: state }) => state === "rejected")) {
      redraw(stage, empty("compare", say("problem.no-picture"), ""));
      return setText(status, say("compare.choose"));
    }
    const [left, right] = both.map(({ value }) => value);
    const slider = reveal({
      earlier: { image: left, year: names.earlier },
      later: { image: right, year: names.later }, say,
    });
    redraw(stage, slider.box);
    if (isFirst) slider.range.focus();
    shared = { ids: [earlier.id, later.id], file: null };
    sharing.hidden = false;
    const place = await found(earlier, later);
    if (!isStill()) return;
    slider.lay(place?.isLocked ? place : null);
    setText(status, say(place?.isLocked ? laidName()
      : place && !place.reason ? "compare.differ" : "compare.unsure"));
  }

  const pair = await pairToShow(photos, {
    yearOf, hasPicture: (photo) => pictureToCompare(photo.id).then(() => true, () => false),
    photo: photos.find((photo) => photo.id === id),
    isOneView: async (earlier, later) =>
      isOpen && ((await found(earlier, later))?.isLocked ?? false),
  });
  if (isOpen) show(pair);
}

// A touch screen has no arrow keys.
const laidName = () => (matchMedia("(hover: none)").matches ? "compare.laidTouch" : "compare.laid");

// The size of pictures to load for the window.
const pixels = () => (Math.max(innerWidth, innerHeight) * devicePixelRatio > 1100 ? 2048 : 1024);
