// Draws the map on its canvas, layer by layer: outlines, tiles, graticule, rings, trails, towns,
// cones.
//
// Each layer is a function of a `scene`: `{ context, view, frame, palette, pixel(latitude,
// longitude), … }` and of its content.

import {
  clamp, latitudeOf, longitudeOf, mercatorAt, metersPerPixel, pixelOf, positionOf, worldSize,
  wrapped, xOf, yOf,
} from "./mercator.js";
import { gridDegrees, gridDigits, ringMeters } from "./scale.js";

const smallFont = "10.5px system-ui, sans-serif";
const fullTurn = 2 * Math.PI;

/** Creates a scene, the state shared by the layers. */
export function sceneOf(context, view, frame, palette) {
  const pixel = (latitude, longitude) => pixelOf(view, frame, xOf(longitude), yOf(latitude));
  return { context, view, frame, palette, pixel };
}

/**
 * Draws land and sea. The outlines are accurate to some kilometres only, so they fade out between
 * zooms 9 and 11. Below map tiles, they serve as a background while the tiles load.
 */
export function drawOutlines(scene, outlines) {
  const { context, view, frame, palette } = scene;
  const known = 1 - clamp((view.zoom - 9) / 2, 0, 1);
  context.fillStyle = palette.paper;
  context.fillRect(0, 0, frame.width, frame.height);
  if (known === 0) return;
  context.globalAlpha = known;
  context.fillStyle = palette.sea;
  context.fillRect(0, 0, frame.width, frame.height);
  if (outlines) {
    const [left, top] = mercatorAt(view, frame, 0, 0);
    const [right, bottom] = mercatorAt(view, frame, frame.width, frame.height);
    for (let world = Math.floor(left); world <= Math.floor(right); world++) {
      const window = { left: left - world, top, right: right - world, bottom };
      drawWorld(context, palette, outlines, window, worldSize(view.zoom));
    }
  }
  context.globalAlpha = 1;
}

function drawWorld(context, palette, { arcs, rings }, window, size) {
  const isSeen = ([left, top, right, bottom], minimumPixels) =>
    right >= window.left && left <= window.right && bottom >= window.top && top <= window.bottom
    && (right - left + bottom - top) * size >= minimumPixels;
  context.beginPath();
  for (const ring of rings) {
    if (!isSeen(ring.box, 1.2)) continue;
    ring.arcs.forEach((part, index) => {
      const arc = arcs[part < 0 ? ~part : part];
      trace(context, arc.points, window, size, part < 0, index === 0);
    });
    context.closePath();
  }
  context.fillStyle = palette.land;
  context.fill();
  for (const isBorder of [false, true]) {
    context.beginPath();
    for (const arc of arcs) {
      if (arc.isEdge || arc.isBorder !== isBorder || !isSeen(arc.box, 1.5)) continue;
      trace(context, arc.points, window, size, false, true);
    }
    context.strokeStyle = isBorder ? palette.border : palette.coast;
    context.lineWidth = isBorder ? 0.7 : 0.9;
    context.stroke();
  }
}

// Points within about a pixel of the last one are omitted, except for the ends.
function trace(context, points, window, size, isBackwards, isStart) {
  const count = points.length / 2;
  let [lastX, lastY] = [Infinity, Infinity];
  for (let step = 0; step < count; step++) {
    const index = isBackwards ? count - 1 - step : step;
    const x = (points[2 * index] - window.left) * size;
    const y = (points[2 * index + 1] - window.top) * size;
    const isInside = step > 0 && step < count - 1;
    if (isInside && Math.abs(x - lastX) + Math.abs(y - lastY) < 1.2) continue;
    if (step === 0 && isStart) context.moveTo(x, y);
    else context.lineTo(x, y);
    [lastX, lastY] = [x, y];
  }
}

/** Draws the loaded tiles: `{ image, column, row, zoom }`. */
export function drawTiles(scene, tiles) {
  const { context, view, frame } = scene;
  for (const { image, column, row, zoom } of tiles) {
    const [x, y] = mercatorAt(view, frame, 0, 0);
    const size = worldSize(view.zoom);
    const side = size / 2 ** zoom;
    context.drawImage(
      image, column * side - x * size, row * side - y * size, side + 0.5, side + 0.5);
  }
}

/** Draws lines of round latitudes and longitudes, with their degrees from zoom 5 on. */
export function drawGraticule(scene, { angle }) {
  const { context, view, frame, palette } = scene;
  const step = gridDegrees(360 / worldSize(view.zoom));
  const [west, north] = mercatorAt(view, frame, 0, 0);
  const [east, south] = mercatorAt(view, frame, frame.width, frame.height);
  const columns = roundSteps(longitudeOf(west), longitudeOf(east), step);
  const rows = roundSteps(Math.max(-85, latitudeOf(south)), Math.min(85, latitudeOf(north)), step);
  const columnAt = (longitude) => (xOf(longitude) - west) * worldSize(view.zoom);
  const rowAt = (latitude) => (yOf(latitude) - north) * worldSize(view.zoom);
  context.beginPath();
  for (const x of columns.map(columnAt)) line(context, Math.round(x) + 0.5, 0, 0, frame.height);
  for (const y of rows.map(rowAt)) line(context, 0, Math.round(y) + 0.5, frame.width, 0);
  context.strokeStyle = palette.grid;
  context.lineWidth = 1;
  context.stroke();
  if (view.zoom < 5) return;
  const digits = gridDigits(step);
  const { insets, controls } = frame;
  context.font = smallFont;
  context.fillStyle = palette.gridText;
  context.textAlign = "left";
  context.textBaseline = "top";
  for (const longitude of columns) {
    const x = columnAt(longitude);
    if (x < insets.left + 60 || x > frame.width - insets.right - 90) continue;
    context.fillText(angle(wrapped(longitude), 1, digits), x + 4, insets.top + controls.top + 5);
  }
  context.textBaseline = "bottom";
  for (const latitude of rows) {
    const y = rowAt(latitude);
    const isClear = y > insets.top + controls.top + 40
      && y < frame.height - insets.bottom - controls.bottom - 10;
    if (isClear) context.fillText(angle(latitude, 0, digits), insets.left + 8, y - 3);
  }
}

function roundSteps(from, to, step) {
  const first = Math.ceil(from / step);
  const count = Math.max(0, Math.floor(to / step) - first + 1);
  return Array.from({ length: count }, (_, index) => (first + index) * step);
}

function line(context, x, y, width, height) {
  context.moveTo(x, y);
  context.lineTo(x + width, y + height);
}

/**
 * Draws the circle of alerts around a position, and range rings from zoom 8 on.
 */
export function drawRings(scene, { origin, alertRadius, words }) {
  const { context, view, frame, palette, pixel } = scene;
  if (!origin || view.zoom < 8) return;
  const [x, y] = pixel(origin.latitude, origin.longitude);
  const scale = metersPerPixel(view.zoom, origin.latitude);
  const reach = alertRadius / scale;
  if (reach > 6 && reach < 4000) {
    circle(context, x, y, reach);
    context.fillStyle = palette.reach;
    context.fill();
    context.strokeStyle = palette.reachLine;
    context.lineWidth = 1.5;
    context.stroke();
  }
  context.font = `600 ${smallFont}`;
  context.textAlign = "center";
  context.textBaseline = "middle";
  const diagonal = Math.hypot(frame.width, frame.height);
  for (const radius of ringMeters(scale, diagonal, words.units)) {
    if (radius === alertRadius) continue;
    const pixels = radius / scale;
    context.setLineDash([3, 5]);
    circle(context, x, y, pixels);
    context.strokeStyle = palette.ring;
    context.lineWidth = 1;
    context.stroke();
    context.setLineDash([]);
    const text = words.length(radius);
    const width = context.measureText(text).width + 10;
    context.beginPath();
    context.roundRect(x - width / 2, y - pixels - 8, width, 16, 8);
    context.fillStyle = palette.chip;
    context.fill();
    context.fillStyle = palette.gridText;
    context.fillText(text, x, y - pixels + 0.5);
  }
}

function circle(context, x, y, radius) {
  context.beginPath();
  context.arc(x, y, radius, 0, fullTurn);
}

/** Draws trails: `{ points: [{ latitude, longitude }], color }`, each over a lighter casing. */
export function drawTrails(scene, trails) {
  const { context, palette, pixel } = scene;
  context.lineJoin = context.lineCap = "round";
  for (const { points, color } of trails) {
    if (points.length < 2) continue;
    context.beginPath();
    let [lastX, lastY] = [Infinity, Infinity];
    points.forEach(({ latitude, longitude }, index) => {
      const [x, y] = pixel(latitude, longitude);
      if (index > 0 && Math.abs(x - lastX) < 0.5 && Math.abs(y - lastY) < 0.5) return;
      if (index === 0) context.moveTo(x, y);
      else context.lineTo(x, y);
      [lastX, lastY] = [x, y];
    });
    context.strokeStyle = palette.trailCase;
    context.lineWidth = 5.5;
    context.stroke();
    context.strokeStyle = palette[color];
    context.lineWidth = 2.5;
    context.stroke();
  }
}

/** Draws the names of towns, largest first, where they overlap neither pins nor other names. */
export function drawTowns(scene, { towns, taken }) {
  const { context, frame, palette, pixel } = scene;
  const boxes = [...taken];
  context.textBaseline = "middle";
  context.textAlign = "left";
  context.lineJoin = "round";
  for (const { name, population, latitude, longitude } of towns) {
    const [x, y] = pixel(latitude, longitude);
    if (x < frame.insets.left - 20 || x > frame.width || y < 0 || y > frame.height) continue;
    const size = population > 3e6 ? 13.5 : population > 3e5 ? 12.5 : 11.5;
    context.font = `${population > 1e6 ? 600 : 500} ${size}px system-ui, sans-serif`;
    const box = [x - 5, y - 8, x + context.measureText(name).width + 10, y + 8];
    if (boxes.some((other) => overlaps(box, other))) continue;
    boxes.push(box);
    circle(context, x, y, 2);
    context.fillStyle = palette.town;
    context.fill();
    context.strokeStyle = palette.halo;
    context.lineWidth = 3;
    context.strokeText(name, x + 6, y);
    context.fillText(name, x + 6, y);
  }
}

const overlaps = (a, b) => a[0] < b[2] && a[2] > b[0] && a[1] < b[3] && a[3] > b[1];

/**
 * Draws the cameras' fields of view: `{ latitude, longitude, heading, width, isStrong }`, in
 * degrees.
 */
export function drawCones(scene, cones) {
  const { context, frame, palette, pixel } = scene;
  for (const { latitude, longitude, heading, width, isStrong } of cones) {
    const [x, y] = pixel(latitude, longitude);
    if (x < -90 || x > frame.width + 90 || y < -90 || y > frame.height + 90) continue;
    const radius = isStrong ? 78 : 52;
    const half = (width * Math.PI) / 360;
    const ahead = ((heading - 90) * Math.PI) / 180;
    const gradient = context.createRadialGradient(x, y, 4, x, y, radius);
    gradient.addColorStop(0, isStrong ? palette.coneStrong : palette.cone);
    gradient.addColorStop(1, palette.coneEnd);
    context.beginPath();
    context.moveTo(x, y);
    context.arc(x, y, radius, ahead - half, ahead + half);
    context.closePath();
    context.fillStyle = gradient;
    context.fill();
  }
}

/** The metres per pixel at the center of a view. */
export const middleScale = (view) => metersPerPixel(view.zoom, positionOf(view).latitude);
