// Reads the outlines of countries from the compact files that Page/data writes. Pure.

import { xOf as mercatorX, yOf as mercatorY } from "./mercator.js";

const magic = "PSB2";

/** The error for a truncated or invalid file of outlines. */
export class OutlineError extends Error {}

/**
 * Reads a file of outlines: `{ arcs, rings }`.
 *
 * An arc is `{ points, isBorder, isEdge, box }`: `points` holds Mercator positions (x, y, x, y,
 * …), a border is shared by two countries, and an edge runs along the rim of the map, where no
 * coast is. A ring is `{ arcs, box }`: indices of arcs, or their complements where an arc runs
 * backwards. A box is `[left, top, right, bottom]`.
 *
 * Format: `PSB2`, steps per degree and zero (16 bits each, little endian), then variable-length
 * integers of seven bits, lowest first, signed ones in zigzag: the number of arcs; for each its
 * number of points · 4 (+ 2 where it ends at its first point, which is not repeated, + 1 for a
 * border) and the points, longitude first, as differences of steps from the point before, from the
 * third point of an arc on less half of the difference before; the number of rings; for each its
 * number of arcs and their indices as differences, the first from the last arc of the ring before.
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
    const given = head >>> 2;
    const isClosed = (head & 2) !== 0;
    const points = new Float64Array((given + (isClosed ? 1 : 0)) * 2);
    let isEdge = true;
    let [across, up] = [0, 0];
    let first = null;
    for (let index = 0; index < given; index++) {
      across = numbers.nextSigned() + (index > 1 ? across >> 1 : 0);
      up = numbers.nextSigned() + (index > 1 ? up >> 1 : 0);
      longitude += across;
      latitude += up;
      first ??= [longitude, latitude];
      if (Math.abs(longitude) < 180 * steps - 1 && latitude > -89 * steps) isEdge = false;
      points[2 * index] = mercatorX(longitude / steps);
      points[2 * index + 1] = mercatorY(latitude / steps);
    }
    if (isClosed) {
      points.copyWithin(2 * given, 0, 2);
      [longitude, latitude] = first ?? [longitude, latitude];
    }
    arcs.push({ points, isBorder: (head & 1) !== 0, isEdge, box: boxOfPoints(points) });
  }
  return arcs;
}

function readRings(numbers, arcs) {
  const rings = [];
  let index = 0;
  for (let count = numbers.next(); count > 0; count--) {
    const parts = Array.from({ length: numbers.next() }, () => (index += numbers.nextSigned()));
    const boxes = parts.map((part) => arcs[part < 0 ? ~part : part].box);
    rings.push({ arcs: parts, box: boxes.reduce(union) });
    if (index < 0) index = ~index;
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
