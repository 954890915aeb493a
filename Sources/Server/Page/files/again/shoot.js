// The camera view: the camera's picture, the old photo over it, their match, and guidance.

import { advice } from "../align/advice.js";
import { hereMeters } from "../alerts.js";
import { arrow, element, icon, picture, redraw, setText, turn } from "../dom.js";
import { bearing, distance } from "../geodesy.js";
import { radios } from "../views/fields.js";
import { button, empty } from "../views/parts.js";
import { greyFrame, openCamera, photoOfFile, takePhoto } from "./camera.js";
import { compassOf, facts, Guide, obstacleOf } from "./guide.js";
import { meter } from "./meter.js";
import { overlay, overlays } from "./overlay.js";

const kept = "photospots.overlay";
const usualAmount = 50;
const frameMilliseconds = 110;
const buzzMilliseconds = 30;
// A photo that matches the old view about as well as the video shows the same section.
const scoreLost = 0.1;

/** Shows the camera view in a session's dialog, until the signal is aborted. */
export async function shoot(session, signal) {
  const { page, spot, body, old, shape } = session;
  const { say } = page.words;
  const { photo } = session;
  session.showScore(null);
  const year = page.words.year(photo.captured) ?? say("date.none");

  const video = element("video", {
    autoplay: true, playsinline: true, "aria-label": say("again.video"),
  });
  video.muted = true;
  const over = overlay(old);
  const finder = element("div.finder", {}, video, over.parts,
    element("div.horizon", { "aria-hidden": true }));
  const gauge = meter(say("again.meter"));
  const status = element("div.move", { role: "status" }, say("again.starting"));
  const where = element("div.where");
  const nudge = element("div.nudge", { hidden: true, "aria-hidden": true }, icon("arrow"));
  const stage = element("div.stage", {}, finder,
    element("div.hint", {}, gauge.box, element("div", {}, status, where)), nudge);

  let name = overlays.includes(stored()) ? stored() : overlays[0];
  let amount = usualAmount;
  const draw = () => over.show(name, amount);
  const kinds = radios({
    label: say("again.overlay"), kind: "choice", value: name,
    options: overlays.map((one) => [one, say(`overlay.${one}`)]),
    onChange: (value) => {
      name = value;
      store(value);
      draw();
    },
  });
  const range = element("input.range", {
    type: "range", min: 0, max: 100, "aria-label": say("again.amount"),
    oninput: () => {
      amount = Number(range.value);
      draw();
    },
  });
  range.value = amount;
  const which = radios({
    label: say("again.which"), kind: "which", value: photo.id,
    options: spot.photos.map(({ id, captured }) =>
      [id, picture(id, { size: 96 }), page.words.day(captured)]),
    onChange: (id) => session.open(spot.photos.find((one) => one.id === id)),
  });
  const shutter = element("button.shutter", {
    type: "button", "aria-label": say("again.take"), disabled: true, onclick: () => take(),
  });
  redraw(body, stage, element("div.controls", {}, kinds,
    element("div.amount", {}, element("span", { "aria-hidden": true }, say("again.now")), range,
      element("span", { "aria-hidden": true }, year)),
    element("div.shoot", {}, which, shutter, chosen(spot.photos, photo, page.words))));
  which.querySelector("[aria-checked=true]")?.scrollIntoView({ inline: "center" });
  draw();
  keepShape(stage, finder, shape, signal);
  showWhere(session, where, signal);

  let stream;
  try {
    stream = await openCamera();
  } catch (error) {
    if (!signal.aborted) showObstacle(session, stage, obstacleOf(error), signal);
    return;
  }
  const stop = () => stream.getTracks().forEach((track) => track.stop());
  if (signal.aborted) return stop();
  signal.addEventListener("abort", stop);
  stream.getVideoTracks()[0].addEventListener("ended", () => {
    if (!signal.aborted) showObstacle(session, stage, "ended", signal);
  });
  video.srcObject = stream;
  await video.play().catch(() => {});
  if (signal.aborted) return;
  shutter.disabled = false;
  setText(status, say("advice.lost"));
  follow();

  async function follow() {
    const guide = new Guide();
    let wasGood = false;
    while (!signal.aborted) {
      const began = performance.now();
      // The camera's size may change while it is open, when a phone is turned.
      const grey = greyFrame(video, shape);
      const found = grey && await session.align(grey, { isTracking: true });
      if (signal.aborted) return;
      if (found) {
        const said = guide.next({ found, advice: advice(found), milliseconds: performance.now() });
        show(said);
        if (said.isGood && !wasGood) navigator.vibrate?.(buzzMilliseconds);
        wasGood = said.isGood || (wasGood && found.score > 0.6);
      }
      await pause(Math.max(30, frameMilliseconds - (performance.now() - began)));
    }
  }

  function show({ score, isGood, move, way, isLittle }) {
    gauge.show(score, isGood, say("again.unknown"));
    shutter.classList.toggle("good", isGood);
    const text = say(`advice.${move}`);
    setText(status, isLittle ? say("again.little", { move: text }) : text);
    nudge.hidden = !way;
    if (!way) return;
    nudge.dataset.way = way;
    turn(nudge.firstElementChild, { up: 0, right: 90, down: 180, left: 270 }[way]);
  }

  async function take() {
    shutter.disabled = true;
    const scoreOf = async (grey) => (await session.align(grey))?.score ?? 0;
    const taken = await takePhoto(stream, video, shape, async (grey, frame) =>
      await scoreOf(grey) >= await scoreOf(frame) - scoreLost);
    if (!signal.aborted) session.review(taken);
  }
}

// The year of the old photo, and its number among all of them.
function chosen(photos, photo, { say, year }) {
  const number = photos.findIndex(({ id }) => id === photo.id) + 1;
  return element("span.chosen", {}, year(photo.captured) ?? say("date.none"),
    photos.length > 1
      && element("span.soft", {}, say("again.chosen", { number, count: photos.length })));
}

const pause = (milliseconds) => new Promise((resolve) => {
  setTimeout(resolve, milliseconds);
});

// Fits the finder into the stage, in the old photo's shape.
function keepShape(stage, finder, shape, signal) {
  const fit = () => {
    const { width, height } = stage.getBoundingClientRect();
    const wide = Math.min(width, height * shape);
    finder.style.width = `${wide}px`;
    finder.style.height = `${wide / shape}px`;
  };
  const observer = new ResizeObserver(fit);
  observer.observe(stage);
  signal.addEventListener("abort", () => observer.disconnect());
  fit();
}

// Updates the position and direction hints as the person moves.
function showWhere({ page, photo }, box, signal) {
  const { say } = page.words;
  const walk = arrow(0);
  const text = element("span");
  const compass = element("span.compass", { hidden: true }, arrow(0), element("span"));
  const isAsking = navigator.maxTouchPoints > 0
    && typeof globalThis.DeviceOrientationEvent?.requestPermission === "function";
  const ask = isAsking && photo.heading != null && button("quiet.small", null, say("again.compass"),
    async () => {
      const answer = await DeviceOrientationEvent.requestPermission().catch(() => "denied");
      ask.remove();
      if (answer === "granted") listen("deviceorientation");
    });
  redraw(box, walk, text, compass, ...(ask ? [ask] : []));

  function show() {
    const origin = page.store.get("origin");
    const way = origin && { meters: distance(origin, photo), degrees: bearing(origin, photo) };
    walk.toggleAttribute("hidden", !way || way.meters < hereMeters);
    if (way) turn(walk, way.degrees);
    setText(text, facts(photo, way, hereMeters, page.words)
      .reduce((first, second) => (first ? say("list.two", { first, second }) : second), ""));
  }

  function listen(kind) {
    addEventListener(kind, (event) => {
      const degrees = compassOf(event);
      if (degrees == null) return;
      compass.hidden = false;
      turn(compass.firstElementChild, photo.heading - degrees);
      setText(compass.lastElementChild, page.words.direction(degrees));
    }, { signal });
  }

  page.store.on(["origin"], () => {
    if (!signal.aborted) show();
  });
  if (!isAsking && photo.heading != null) listen("deviceorientationabsolute");
  show();
}

// Without a live camera: the reason, and the camera app as an alternative.
function showObstacle(session, stage, obstacle, signal) {
  const { say } = session.page.words;
  const wrong = element("p.wrong", { role: "alert" });
  const input = element("input", {
    type: "file", accept: "image/*", capture: "environment", "aria-label": say("again.app"),
    onchange: async () => {
      const [file] = input.files;
      if (!file) return;
      setText(wrong, "");
      const taken = await photoOfFile(file, session.shape).catch(() => null);
      if (signal.aborted) return;
      if (taken) session.review(taken);
      else setText(wrong, say("again.noPhoto"));
    },
  });
  const again = obstacle === "ended"
    && button("small", null, say("state.tryAgain"), () => session.again());
  redraw(stage, empty("camera", say(`obstacle.${obstacle}`),
    say(`obstacle.${obstacle}Detail`), wrong,
    element("div.actions", {},
      element("label.button.main", {}, icon("camera"), say("again.app"), input), again)));
  redraw(session.body, stage);
}

// A browser may block storage.
function stored() {
  try {
    return localStorage.getItem(kept);
  } catch {
    return null;
  }
}

function store(value) {
  try {
    localStorage.setItem(kept, value);
  } catch {
    // Without storage, the next time uses the defaults again.
  }
}
