#!/usr/bin/env python3
"""Writes world-110.bin and world-50.bin: the outlines of countries on the page's map.

    pip install rdata==1.1.0 && Sources/Server/Page/data/outlines.py

Two countries that share a border share its points. So rings are cut into arcs where they meet, and
a border is stored and drawn once. The format is described at its reader, files/map/outlines.js.
"""

import collections
import math
import pathlib
import struct

from natural_earth import countries

FILES = pathlib.Path(__file__).resolve().parents[1] / "files"
#: The data set, the steps per degree, and the tolerance for omitted points in steps.
FORMS = {
    "world-110.bin": ("countries110", 50, 0),
    "world-50.bin": ("countries50", 80, 2.4),
}
LEAST_SIDES = 3
#: The maximum tolerance of a closed arc (an island), as a share of its longer extent.
ISLAND_SHARE = 1 / 6


def main():
    world = countries(*(name for name, _, _ in FORMS.values()))
    for file, (name, steps, tolerance) in FORMS.items():
        arcs, rings = topology([rounded(ring, steps) for ring in world[name]])
        data = written(arcs, rings, steps, tolerance)
        (FILES / file).write_bytes(data)
        print(f"{file}: {len(data):,} bytes, {len(arcs)} arcs, {len(rings)} rings")


def rounded(ring, steps):
    """Rounds a closed ring to whole steps, without repeated points, and without the closing one."""
    points = [(round(longitude * steps), round(latitude * steps)) for longitude, latitude in ring]
    return [point for point, before in zip(points, [None, *points]) if point != before][:-1]


def topology(rings):
    """Splits rings into shared arcs: the arcs, and each ring as a list of their indices.

    A reversed arc is represented by the complement of its index.
    """
    rings = [ring for ring in rings if len(ring) >= LEAST_SIDES]
    meetings = junctions(rings)
    arcs, known, cut = [], {}, []
    for ring in rings:
        references = []
        for arc in pieces(ring, meetings):
            if arc in known:
                references.append(known[arc])
            elif arc[::-1] in known:
                references.append(~known[arc[::-1]])
            else:
                known[arc] = len(arcs)
                references.append(len(arcs))
                arcs.append(arc)
        cut.append(references)
    return arcs, cut


def junctions(rings):
    """The points where rings diverge: those without the same two neighbours in all rings."""
    neighbours = collections.defaultdict(set)
    for ring in rings:
        for before, point, after in zip([ring[-1], *ring], ring, [*ring[1:], ring[0]]):
            neighbours[point].add(frozenset((before, after)))
    return {point for point, pairs in neighbours.items() if len(pairs) > 1}


def pieces(ring, meetings):
    """Splits a ring into arcs between junctions; a ring without junctions is a single arc."""
    first = next((index for index, point in enumerate(ring) if point in meetings), None)
    if first is None:
        return [tuple([*ring, ring[0]])]
    turned = [*ring[first:], *ring[:first], ring[first]]
    cuts = [index for index, point in enumerate(turned) if point in meetings]
    return [tuple(turned[start:end + 1]) for start, end in zip(cuts, cuts[1:])]


def simplified(arc, tolerance):
    """Simplifies an arc by a tolerance in steps (Douglas and Peucker, 1973).

    The tolerance of small islands is smaller, so that they keep their shape.
    """
    if tolerance <= 0 or len(arc) < 3:
        return arc
    if arc[0] == arc[-1]:
        sides = [max(values) - min(values) for values in zip(*arc)]
        tolerance = min(tolerance, max(sides) * ISLAND_SHARE)
    kept, open_parts = {0, len(arc) - 1}, [(0, len(arc) - 1)]
    while open_parts:
        start, end = open_parts.pop()
        if end <= start + 1:
            continue
        farthest = max(range(start + 1, end), key=lambda one: away(arc[one], arc[start], arc[end]))
        if away(arc[farthest], arc[start], arc[end]) > tolerance:
            kept.add(farthest)
            open_parts += [(start, farthest), (farthest, end)]
    return tuple(arc[index] for index in sorted(kept))


def away(point, start, end):
    """The distance of a point from the line through two others, or from both if they are equal."""
    across, up = end[0] - start[0], end[1] - start[1]
    length = math.hypot(across, up)
    if length == 0:
        return math.dist(point, start)
    return abs(across * (point[1] - start[1]) - up * (point[0] - start[0])) / length


def written(arcs, rings, steps, tolerance):
    """Encodes a file."""
    uses = collections.Counter(named(one) for ring in rings for one in ring)
    shapes = [simplified(arc, tolerance) for arc in arcs]
    rings = [ring for ring in rings
             if sum(len(shapes[named(one)]) - 1 for one in ring) >= LEAST_SIDES]
    order = neighbours_in_a_row(shapes, {named(one) for ring in rings for one in ring})
    out = bytearray(struct.pack("<4sHH", b"PSB2", steps, 0))
    out += varint(len(order))
    here = (0, 0)
    for index in order:
        shape = shapes[index]
        is_closed = shape[0] == shape[-1]
        points = shape[:-1] if is_closed else shape
        out += varint(len(points) << 2 | is_closed << 1 | (uses[index] > 1))
        out += differences(points, here)
        here = shape[-1]
    places = {index: place for place, index in enumerate(order)}
    rings = sorted(
        ([places[one] if one >= 0 else ~places[~one] for one in ring] for ring in rings),
        key=lambda ring: min(map(named, ring)))
    out += varint(len(rings))
    before = 0
    for ring in rings:
        out += varint(len(ring))
        for one in ring:
            out += zigzag(one - before)
            before = one
        before = named(before)
    return bytes(out)


def named(one):
    """The index of an arc in a ring, in either direction."""
    return one if one >= 0 else ~one


def neighbours_in_a_row(shapes, used):
    """Orders the indices of used arcs, so that each begins near the end of the previous one."""
    left, order, here = set(used), [], (0, 0)
    while left:
        away_from_here = lambda one: max(
            abs(shapes[one][0][0] - here[0]), abs(shapes[one][0][1] - here[1]))
        nearest = min(left, key=lambda one: (away_from_here(one), one))
        left.discard(nearest)
        order.append(nearest)
        here = shapes[nearest][-1]
    return order


def differences(points, here):
    """Encodes the steps between points, minus half of the previous step, which makes them small."""
    out, last = bytearray(), (0, 0)
    for index, (x, y) in enumerate(points):
        step = (x - here[0], y - here[1])
        half = (last[0] >> 1, last[1] >> 1) if index > 1 else (0, 0)
        out += zigzag(step[0] - half[0]) + zigzag(step[1] - half[1])
        here, last = (x, y), step
    return out


def varint(number):
    """Encodes a nonnegative number in groups of seven bits, lowest first."""
    out = bytearray()
    while number > 127:
        out.append(number & 127 | 128)
        number >>= 7
    out.append(number)
    return bytes(out)


def zigzag(number):
    """Encodes a signed number: 0, −1, 1, −2, … as 0, 1, 2, 3, …"""
    return varint(number << 1 if number >= 0 else ~number << 1 | 1)


if __name__ == "__main__":
    main()
