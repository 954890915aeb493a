// Reads the outlines of countries from the compact files that Sources/CPage/data writes. Pure.

import { xOf as mercatorX, yOf as mercatorY } from "./mercator.js";

const magic = "PSB1";

/** A file of outlines that is cut off, or is something else. */
export class OutlineError extends Error {}

/**
 * Reads a file of outlines: `{ arcs, rings }`.
 *
 * An arc is `{ points, isBorder, isEdge, box }`: `points` holds Mercator positions (x, y, x, y,
 * …), a border is shared by two countries, and an edge runs along the rim of the map, where no
 * coast is. A ring is `{ arcs, box }`: indices of arcs, or their complements where an arc runs
 * backwards. A box is `[left, top, right, bottom]`.
 *
 * Format: `PSB1`, steps per degree and zero (16 bits each, little endian), then variable-length
 * integers of seven bits, lowest first, signed ones in zigzag: the number of arcs; for each its
 * number of points · 2 (+ 1 for a border) and the points as differences of steps, longitude first;
 * the number of rings; for each its number of arcs and their indices as differences.
 */
export function readOutlines(buffer) {
  const bytes = new Uint8Array(buffer);
  if (bytes.length < 8 || String.fromCharCode(...bytes.subarray(0, 4)) !== magic) {
    throw new OutlineError("not a file of outlines");
  }
  const steps = bytes[4] | (bytes[5] << 8);
  const numbers = new Numbers(bytes, 8);
  const arcs = readArcs(numbers, steps);
  return { arcs, rings: readRings(numbers, arcs) };
}

class Numbers {
  constructor(bytes, position) {
    this.bytes = bytes;
    this.position = position;
  }

  next() {
    for (let value = 0, shift = 0; ; shift += 7) {
      const byte = this.bytes[this.position++];
      if (byte === undefined) throw new OutlineError("the outlines are cut off");
      value |= (byte & 127) << shift;
      if (byte < 128) return value;
    }
  }

  nextSigned() {
    const value = this.next();
    return (value >>> 1) ^ -(value & 1);
  }
}

function readArcs(numbers, steps) {
  const arcs = [];
  let [longitude, latitude] = [0, 0];
  for (let count = numbers.next(); count > 0; count--) {
    const head = numbers.next();
    const points = new Float64Array((head >>> 1) * 2);
    let isEdge = true;
    for (let index = 0; index < points.length; index += 2) {
      longitude += numbers.nextSigned();
      latitude += numbers.nextSigned();
      if (Math.abs(longitude) < 180 * steps - 1 && latitude > -89 * steps) isEdge = false;
      points[index] = mercatorX(longitude / steps);
      points[index + 1] = mercatorY(latitude / steps);
    }
    arcs.push({ points, isBorder: (head & 1) === 1, isEdge, box: boxOfPoints(points) });
  }
  return arcs;
}

function readRings(numbers, arcs) {
  const rings = [];
  for (let count = numbers.next(); count > 0; count--) {
    let index = 0;
    const parts = Array.from({ length: numbers.next() }, () => (index += numbers.nextSigned()));
    const boxes = parts.map((part) => arcs[part < 0 ? ~part : part].box);
    rings.push({ arcs: parts, box: boxes.reduce(union) });
  }
  return rings;
}

function boxOfPoints(points) {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let index = 0; index < points.length; index += 2) {
    const x = points[index];
    const y = points[index + 1];
    if (x < left) left = x;
    if (x > right) right = x;
    if (y < top) top = y;
    if (y > bottom) bottom = y;
  }
  return [left, top, right, bottom];
}

const union = (a, b) => [
  Math.min(a[0], b[0]), Math.min(a[1], b[1]), Math.max(a[2], b[2]), Math.max(a[3], b[3]),
];
