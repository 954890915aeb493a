// The dialog with a photo as large as the window, its metadata, and buttons for the photos before
// and after it.

import { byId, element, icon, picture, redraw, setText, showPicture } from "../dom.js";
import { canTakeAgain, openAgain, openCompare } from "./lazily.js";
import { button, problemTexts } from "./parts.js";

const pictureSize = 2048;

/** The texts below a photo: what a person wrote, its name, and what is known of it. Pure. */
export function captions(photo, { say, has, direction, list }) {
  const { caption, name, files = [], make, model, focalLength35mm, heading, source } = photo;
  const others = files.filter((file) => file !== name);
  // Most makers repeat their name in the model's.
  const camera = model?.startsWith(make ?? " ") ? model : [make, model].filter(Boolean).join(" ");
  return [
    ...(caption?.split("\n") ?? []),
    name,
    camera,
    focalLength35mm && say("unit.lens", { value: Math.round(focalLength35mm) }),
    heading != null && say("photo.facing", { direction: direction(heading) }),
    has(`source.${source}`) && say("photo.source", {
      source: say(`source.${source}`),
    }),
    others.length > 0 && say("photo.files", { names: list(others) }),
  ].filter(Boolean);
}

/**
 * Opens a photo of a spot, or of an own place (`isPlace`), whose photos cannot be compared. Closing
 * the dialog restores the focus.
 */
export function openPhoto(page, spot, id) {
  const { words } = page;
  const { say } = words;
  const { photos } = spot;
  let index = Math.max(0, photos.findIndex((photo) => photo.id === id));

  const dialog = byId("photo");
  const title = element("div.title");
  const soft = element("div.soft");
  const image = picture(null, { size: pictureSize, isSquare: false, isLazy: false });
  const foot = element("div.foot");
  image.addEventListener("error", () => explain(photos[index]));
  const close = element("button.plain-icon", {
    type: "button", "aria-label": say("photo.close"), onclick: () => dialog.close(),
  }, icon("close"));
  const earlier = step("earlier", "back", -1);
  const later = step("later", "next", 1);

  const over = (open) => () => open(page, spot, photos[index].id);
  const compare = photos.length > 1 && !spot.isPlace
    && button("small", "compare", say("compare.open"), over(openCompare));
  const again = canTakeAgain(page) && !spot.isPlace
    && button("small.main", "camera", say("again.open"), over(openAgain));

  function step(name, drawing, by) {
    return element(`button.plain-icon.step.${name}`, {
      type: "button", "aria-label": say(`photo.${name}`), onclick: () => show(index + by),
    }, icon(drawing));
  }

  function show(next) {
    if (next < 0 || next >= photos.length) return;
    index = next;
    const photo = photos[index];
    const day = words.day(photo.captured);
    dialog.setAttribute("aria-label", say("photo.dialog", { day }));
    image.alt = say("photo.image", { day });
    showPicture(image, photo.id, { size: pictureSize, isSquare: false });
    const place = say("photo.place", { number: index + 1, count: photos.length });
    setText(title, day);
    setText(soft, photo.captured
      ? say("list.two", { first: words.ago(photo.captured, page.now()), second: place }) : place);
    // A button without a target is only marked as disabled, so that it keeps the focus.
    earlier.setAttribute("aria-disabled", String(index === 0));
    later.setAttribute("aria-disabled", String(index === photos.length - 1));
    redraw(foot, ...captions(photo, words).map((text) => element("span", {}, text)));
  }

  // Says why there is no picture.
  async function explain(photo) {
    const problem = await page.client
      .file(`photos/${encodeURIComponent(photo.id)}/picture`, { size: pictureSize })
      .then(() => null, (failure) => failure);
    if (problem?.status !== 415 || photos[index] !== photo) return;
    const { title, detail } = problemTexts(problem, words);
    foot.append(element("span", {}, `${title}. ${detail}`));
  }

  dialog.onkeydown = (event) => {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (by) show(index + by);
  };
  redraw(dialog, 
    element("div.bar", {}, close, element("div.titles", {}, title, soft), compare, again),
    element("div.stage", {}, image, ...(photos.length > 1 ? [earlier, later] : [])),
    foot);
  show(index);
  page.layers.show(dialog);
  close.focus();
}
