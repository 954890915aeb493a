#!/usr/bin/env python3
"""Judges the alerts of a program on recorded logs, with spots laid at stops and along the way.

  PHOTOSPOTS_CORPUS=FOLDER recorded.py PROGRAM [--layout N]... [--set NAME=VALUE]...

PROGRAM   a photospots, built for release
FOLDER    the test data; the logs are those of its folder feeds that have times and motion
--layout  the seed of the places of the spots, 1 to 3 by default
--set     a setting of the watch

Labels are mechanical. An alert is *fair* with the device within 115 m of the spot and at most 2.5 m/s
within 20 s; *slow ride* is faster, *riding* over 7 m/s, and *nobody* with no fix near within a minute
before and after. A stop is three minutes or more within 40 m, with a spot 5 to 60 m away. It is missed
if nothing within 160 m alerts from a day before it to 30 s after its end.
Prints both halves of the logs, alternately by their order.
"""

import argparse
import bisect
import collections
import datetime
import json
import math
import pathlib
import random
import tempfile

from walks import making

import core
import generate
import score

EARTH = 6371008.8  # m, the mean radius (IUGG)
LOGS = [
    "csv__gpslogger.csv", "gpx__cerknicko-jezero.gpx", "gpx__expertgps.gpx",
    "gpx__garminconnect.gpx", "gpx__gpslogger-2025-05-31.gpx",
    "gpx__reitti-export-with-accuracy.gpx", "gpx__tcxtest.gpx", "kml__google_ext.kml",
    "kml__skydrop.kml", "google__Records.json",
]


def load(name):
    """Returns the fixes of a log in the order of time, one a time."""
    path = pathlib.Path(making.CORPUS) / "feeds" / "expected" / f"{name}.json"
    fixes = []
    for one in json.loads(path.read_text())["fixes"]:
        if one.get("time"):
            time = datetime.datetime.fromisoformat(one["time"].replace("Z", "+00:00")).timestamp()
            fixes.append({
                "t": time, "lat": one["lat"], "lon": one["lon"], "acc": one.get("hacc"),
                "spd": one.get("speed"), "crs": None, "dev": None})
    fixes.sort(key=lambda fix: fix["t"])
    return [fix for last, fix in zip([None, *fixes], fixes) if last is None or fix["t"] > last["t"]]


def at(fix):
    return fix["lat"], fix["lon"]


class Truth:
    """Where the device was by its better fixes."""

    def __init__(self, fixes):
        self.fixes = [fix for fix in fixes if fix["acc"] is None or fix["acc"] <= 60] or fixes
        self.times = [fix["t"] for fix in self.fixes]

    def window(self, begin, end):
        """Returns the fixes between two times."""
        first, last = bisect.bisect_left(self.times, begin), bisect.bisect_right(self.times, end)
        return self.fixes[first:last]

    def position(self, time):
        """Returns the position at a time, between the fixes around it."""
        place = bisect.bisect_left(self.times, time)
        if place in (0, len(self.times)):
            return at(self.fixes[min(place, len(self.times) - 1)])
        before, after = self.fixes[place - 1], self.fixes[place]
        share = (time - before["t"]) / (after["t"] - before["t"])
        return tuple(one + (other - one) * share for one, other in zip(at(before), at(after)))

    def speed(self, time, reach=20):
        """Returns the speed in m/s around a time."""
        return core.metres(self.position(time - reach), self.position(time + reach)) / (2 * reach)


def stops(fixes, radius=40, least=180):
    """Returns the stops as (begin, end, centre); those of one place within 15 minutes are one."""
    found, first = [], 0
    while first < len(fixes):
        last, centre = first, at(fixes[first])
        while (last + 1 < len(fixes) and core.metres(centre, at(fixes[last + 1])) <= radius
               and fixes[last + 1]["t"] - fixes[last]["t"] < 3600):
            last += 1
            count = last - first + 1
            centre = tuple(
                mean + (value - mean) / count for mean, value in zip(centre, at(fixes[last])))
        begin, end = fixes[first]["t"], fixes[last]["t"]
        if end - begin < least:
            first += 1
            continue
        first = last + 1
        if found and core.metres(found[-1][2], centre) < 60 and begin - found[-1][1] < 900:
            found[-1] = (found[-1][0], end, found[-1][2])
        else:
            found.append((begin, end, centre))
    return found


def beside(random_, centre, least, most):
    """Returns a position at a random distance and direction."""
    meters, angle = random_.uniform(least, most), random_.uniform(0, 2 * math.pi)
    north, east = meters * math.cos(angle), meters * math.sin(angle)
    return (centre[0] + math.degrees(north / EARTH),
            centre[1] + math.degrees(east / EARTH / math.cos(math.radians(centre[0]))))


def laid(name, layout, truth, found):
    """Returns spots (position, photos): at each stop, and each 500 m of the way or 900 m of a ride."""
    random_ = random.Random(f"{name}/{layout}")
    spots = [
        (beside(random_, centre, 5, 60), random_.choice([1, 2, 5, 12])) for _, _, centre in found]
    before, gone = None, 0
    for fix in truth.fixes:
        gone += core.metres(before, at(fix)) if before else 0
        before = at(fix)
        if gone < (900 if truth.speed(fix["t"]) > 7 else 500):
            continue
        gone, position = 0, beside(random_, before, 5, 70)
        if all(core.metres(position, other) > 80 for other, _ in spots):
            spots.append((position, random_.choice([1, 2, 5])))
    return spots


def write(folder, fixes, spots):
    """Writes the photos of spots, taken in the years before, and the feed."""
    (folder / "photos").mkdir(parents=True)
    number = 0
    for (latitude, longitude), count in spots:
        for day in range(count):
            taken = fixes[0]["t"] - (900 - day) * 86400
            photo = core.jpeg(latitude, longitude, taken)
            (folder / "photos" / f"p{number:04d}.jpg").write_bytes(photo)
            number += 1
    (folder / "feed.ndjson").write_text("\n".join(generate.ndjson(fixes)) + "\n")


def judged(alerts, truth, found):
    """Counts alerts by their label, and stops."""
    count = collections.Counter(rings=len(alerts), stops=len(found))
    for time, latitude, longitude, _ in alerts:
        near = min(
            (core.metres((latitude, longitude), at(fix)) for fix in truth.window(time - 60, time + 60)),
            default=math.inf)
        slowest = min(truth.speed(time + step) for step in (-20, 0, 20))
        label = ("nobody" if near > 115 else "riding" if truth.speed(time) > 7
                 else "slow ride" if slowest > 2.5 else "fair")
        count[label] += 1
    for begin, end, centre in found:
        here = [alert[0] for alert in alerts if core.metres(alert[1:3], centre) <= 160]
        if not any(begin - 86400 <= time <= end + 30 for time in here):
            count["missed"] += 1
    return count


def line(name, count):
    labels = ", ".join(f"{label} {count[label]}" for label in ("slow ride", "riding", "nobody"))
    return (f"{name:6} fair {count['fair'] / max(1, count['rings']):.3f} of {count['rings']}, {labels}, "
            f"missed {count['missed']} of {count['stops']} stops, again {count['again']}")


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--layout", type=int, action="append")
    parser.add_argument("--set", action="append", default=[])
    given = parser.parse_args()
    halves = collections.defaultdict(collections.Counter)
    with tempfile.TemporaryDirectory() as scratch:
        for number, name in enumerate(LOGS):
            fixes = load(name)
            truth = Truth(fixes)
            found = stops(truth.fixes)
            for layout in given.layout or [1, 2, 3]:
                folder = pathlib.Path(scratch) / str(layout) / name
                write(folder, fixes, laid(name, layout, truth, found))
                again = []
                alerts = score.from_binary(given.program, str(folder), given.set, again)
                count = judged(alerts, truth, found)
                count["again"] = sum(again)
                halves["AB"[number & 1]].update(count)
    for half in "AB":
        print(line(f"half {half}", halves[half]))
    print(line("all", halves["A"] + halves["B"]))


if __name__ == "__main__":
    main()
