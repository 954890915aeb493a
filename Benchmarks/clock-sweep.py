#!/usr/bin/env python3
"""Measures how well positions are inferred for cameras without a zone, in made trips to many cities.

  clock-sweep.py PROGRAM [SEED]

PROGRAM   a photospots built for release
SEED      a number from which the trips are made; 1 by default

A person walks with a recorder and stops often; a camera that shows local time, and writes no zone, takes photos, most of
them at stops. The machine is in UTC or Berlin. Prints for each kind of trip how many photos lie outside their stated
accuracy (and 12 m for the recorder's own error), how many are placed within 250 m, and how many stay open: without a
position, or with an accuracy beyond 250 m. "One offset" counts the photos of trips in which one offset alone explains them.
"""
import datetime
import json
import math
import os
import pathlib
import random
import struct
import subprocess
import sys
import tempfile
import zoneinfo
from dataclasses import dataclass, field

CITIES = {
    "Lima": (-12.05, -77.04, "America/Lima"), "Anchorage": (61.22, -149.89, "America/Anchorage"),
    "Kathmandu": (27.71, 85.32, "Asia/Kathmandu"), "Cairo": (30.04, 31.24, "Africa/Cairo"),
    "Auckland": (-36.85, 174.76, "Pacific/Auckland"), "São Paulo": (-23.55, -46.63, "America/Sao_Paulo"),
    "Mexico City": (19.43, -99.13, "America/Mexico_City"), "Dubai": (25.20, 55.27, "Asia/Dubai"),
    "Adelaide": (-34.93, 138.60, "Australia/Adelaide"), "Honolulu": (21.31, -157.86, "Pacific/Honolulu"),
    "Nairobi": (-1.29, 36.82, "Africa/Nairobi"), "St. John's": (47.56, -52.71, "America/St_Johns"),
    "Lisbon": (38.72, -9.14, "Europe/Lisbon"), "Helsinki": (60.17, 24.94, "Europe/Helsinki"),
    "Seoul": (37.57, 126.98, "Asia/Seoul"), "Yangon": (16.87, 96.20, "Asia/Yangon"),
}
DATES = ("2026-01-20", "2026-07-14")
MACHINES = ("UTC", "Europe/Berlin")
# The UTC offsets in use, in minutes.
OFFSETS = sorted([60 * hours for hours in range(-11, 15)] + [-570, -210, -150, 210, 270, 330, 345, 390, 525, 570, 630, 765])
OWN_ERROR_METERS, OPEN_METERS = 12, 250


def moved(place, north, east):
    return place[0] + north / 111_195, place[1] + east / (111_195 * math.cos(math.radians(place[0])))


def meters(first, second):
    north = (second[0] - first[0]) * 111_195
    east = (second[1] - first[1]) * 111_195 * math.cos(math.radians(first[0]))
    return math.hypot(north, east)


def offset(zone, time):
    return zoneinfo.ZoneInfo(zone).utcoffset(datetime.datetime.fromtimestamp(time, datetime.UTC)).total_seconds()


class Walk:
    """A walk around a place, as parts with their times and ends."""

    def __init__(self, rng, home, start, hours, rest_hours=0):
        self.parts, place, time = [], home, start
        end = start + hours * 3600
        while time < end:
            heading = rng.uniform(0, 2 * math.pi)
            if meters(home, place) > 2000:
                heading = math.atan2(home[1] - place[1], home[0] - place[0])
            seconds = rng.randrange(200, 700)
            speed = rng.uniform(1.0, 1.5)
            there = moved(place, speed * seconds * math.cos(heading), speed * seconds * math.sin(heading))
            self.parts.append((time, time + seconds, place, there))
            time, place = time + seconds, there
            if rng.random() < 0.7:
                seconds = rng.randrange(100, 700)
                self.parts.append((time, time + seconds, place, place))
                time += seconds
        self.end = time
        # The recorder runs on at the hotel.
        if rest_hours:
            self.parts.append((time, time + rest_hours * 3600, place, place))

    def place(self, time):
        for start, end, first, second in self.parts:
            if start <= time <= end:
                share = (time - start) / (end - start)
                return tuple(one + share * (other - one) for one, other in zip(first, second))
        raise ValueError(time)

    def gpx(self, rng):
        north = east = 0.0
        points, time = [], self.parts[0][0]
        while time <= self.parts[-1][1]:
            north, east = 0.95 * north + rng.gauss(0, 0.8), 0.95 * east + rng.gauss(0, 0.8)
            latitude, longitude = moved(self.place(time), north, east)
            stamp = datetime.datetime.fromtimestamp(time, datetime.UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
            points.append(f'<trkpt lat="{latitude:.6f}" lon="{longitude:.6f}"><time>{stamp}</time></trkpt>')
            time += 10
        return ('<gpx version="1.1" xmlns="http://www.topografix.com/GPX/1/1"><trk><trkseg>' + "".join(points)
                + "</trkseg></trk></gpx>")

    def moments(self, rng, count):
        stops = [(start, end) for start, end, first, second in self.parts if first == second and end <= self.end]
        found = []
        for _ in range(count):
            if stops and rng.random() < 0.85:
                start, end = rng.choice(stops)
                found.append(rng.randrange(start + 10, end - 10))
            else:
                found.append(rng.randrange(self.parts[0][0] + 30, self.end - 30))
        return sorted(found)


def photo(local, model, rng):
    """A JPEG file of its own content, with a capture time without a zone."""
    def entry(tag, kind, count, value):
        return struct.pack("<HHI4s", tag, kind, count, value)
    make, name = b"Sony\0", model.encode() + b"\0"
    start = 8 + 2 + 3 * 12 + 4
    times = start + len(make) + len(name) + 2 + 12 + 4
    tiff = b"II*\0" + struct.pack("<IH", 8, 3)
    tiff += entry(0x010F, 2, len(make), struct.pack("<I", start))
    tiff += entry(0x0110, 2, len(name), struct.pack("<I", start + len(make)))
    tiff += entry(0x8769, 4, 1, struct.pack("<I", start + len(make) + len(name))) + bytes(4) + make + name
    tiff += struct.pack("<H", 1) + entry(0x9003, 2, 20, struct.pack("<I", times)) + bytes(4)
    tiff += local.encode() + b"\0"
    exif = b"Exif\0\0" + tiff
    picture = bytes(rng.randrange(0xFF) for _ in range(64))
    return b"\xFF\xD8\xFF\xE1" + struct.pack(">H", len(exif) + 2) + exif + b"\xFF\xDA\x00\x02" + picture + b"\xFF\xD9"


@dataclass
class Trip:
    """A trip: its days as (city, date, hours), and the seconds by which each camera's clock is ahead of UTC."""
    days: list
    machine: str
    clocks: dict = field(default_factory=dict)
    photos: int = 10
    rest_hours: int = 0

    def write(self, folder, rng):
        """Writes photos and tracks; returns the true place of each photo, and whether one offset alone explains them."""
        truth, shots, spans = {}, {}, []
        (folder / "photos").mkdir(parents=True)
        (folder / "tracks").mkdir()
        for number, (city, date, hours) in enumerate(self.days):
            latitude, longitude, zone = CITIES[city]
            noon = datetime.datetime.fromisoformat(date + "T12:00:00+00:00").timestamp()
            start = int(noon - 2 * 3600 - offset(zone, noon))
            walk = Walk(rng, moved((latitude, longitude), rng.uniform(-700, 700), rng.uniform(-700, 700)), start, hours,
                        self.rest_hours)
            spans.append((walk.parts[0][0], walk.parts[-1][1]))
            (folder / "tracks" / f"{number}.gpx").write_text(walk.gpx(rng), encoding="utf-8")
            for model in self.clocks or {"ZV-1": None}:
                ahead = self.clocks.get(model)
                for place, time in enumerate(walk.moments(rng, self.photos)):
                    shown = time + (offset(zone, time) if ahead is None else ahead)
                    local = datetime.datetime.fromtimestamp(shown, datetime.UTC).strftime("%Y:%m:%d %H:%M:%S")
                    name = f"{model}_{number}_{place:03}.jpg".replace(" ", "")
                    (folder / "photos" / name).write_bytes(photo(local, model, rng))
                    truth[name] = walk.place(time)
                    shots.setdefault(model, []).append((time, shown - time))
        return truth, all(self.is_clear(those, spans) for those in shots.values())

    def is_clear(self, shots, spans):
        """Whether no other offset in use near the place puts most photos on tracks, or the clock is the machine's."""
        if all(ahead == offset(self.machine, time) for time, ahead in shots):
            return True
        if len(shots) < 8 or any(ahead != shots[0][1] for _, ahead in shots):
            return False
        for minutes in OFFSETS:
            solar = CITIES[self.days[0][0]][1] * 4
            if minutes * 60 == shots[0][1] or abs((minutes - solar + 720) % 1440 - 720) > 200:
                continue
            on_tracks = sum(any(start <= time + ahead - minutes * 60 <= end for start, end in spans) for time, ahead in shots)
            if on_tracks > 0.8 * len(shots):
                return False
        return True


def kinds(rng):
    """The trips by kind."""
    found = {}
    for city in CITIES:
        for date in DATES:
            machine = rng.choice(MACHINES)
            for hours in (1, 3, 7):
                found.setdefault(f"a walk of {hours} h", []).append(Trip([(city, date, hours)], machine))
            first = datetime.date.fromisoformat(date)
            days = [(city, str(first + datetime.timedelta(days=day)), 6) for day in range(3)]
            found.setdefault("three days", []).append(Trip(days, machine, photos=6))
            found.setdefault("a recorder that runs all day", []).append(Trip([(city, date, 6)], machine, rest_hours=14))
            ahead = offset(CITIES[city][2], datetime.datetime.fromisoformat(date + "T12:00:00+00:00").timestamp())
            home = offset("Europe/Berlin", datetime.datetime.fromisoformat(date + "T12:00:00+00:00").timestamp())
            found.setdefault("two cameras, one not set since Berlin", []).append(
                Trip(days[:2], machine, {"ZV-1": ahead, "DSC-RX100M7": home}, photos=6))
            drift = rng.choice((-1, 1)) * rng.randrange(120, 900)
            found.setdefault("a clock off by 2 to 15 minutes", []).append(
                Trip(days, machine, {"ZV-1": ahead + drift}, photos=8))
    changes = {"Lisbon": "2026-03-27", "Helsinki": "2026-10-23", "Auckland": "2026-04-03", "St. John's": "2026-03-06"}
    for city, date in changes.items():
        first = datetime.date.fromisoformat(date)
        days = [(city, str(first + datetime.timedelta(days=day)), 6) for day in range(5)]
        for machine in (*MACHINES, CITIES[city][2]):
            found.setdefault("across a change of the clocks", []).append(Trip(days, machine, photos=6))
    return found


def judged(program, trip, folder, rng):
    """Runs the program on a trip; returns the numbers of photos: outside, placed, open, and placed and all if clear."""
    truth, is_clear = trip.write(folder, rng)
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PHOTOSPOTS_")}
    environment.update({"TZ": trip.machine, "HOME": str(folder)})
    environment.update({f"XDG_{name}_HOME": str(folder / name) for name in ("CACHE", "CONFIG", "DATA", "STATE")})
    index = ["--index", str(folder / "index.json")]
    scan = subprocess.run([program, "index", folder / "photos", "--tracks", folder / "tracks", *index],
                          env=environment, capture_output=True, check=False)
    if scan.returncode not in (0, 2):
        sys.exit(scan.stderr.decode())
    listed = subprocess.run([program, "spots", "--photos", "--format", "json", *index], env=environment,
                            capture_output=True, check=True)
    found = {os.path.basename(one["path"]): one for spot in json.loads(listed.stdout or "[]") for one in spot["photos"]}
    outside = placed = 0
    for name, place in truth.items():
        if not (one := found.get(name)):
            continue
        accuracy = one.get("horizontalAccuracy") or 0
        if meters((one["latitude"], one["longitude"]), place) > accuracy + OWN_ERROR_METERS:
            outside += 1
        elif accuracy <= OPEN_METERS:
            placed += 1
    count = len(truth)
    return outside, placed, count - outside - placed, placed if is_clear else 0, count if is_clear else 0


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    rng = random.Random(int(sys.argv[2]) if len(sys.argv) == 3 else 1)
    total = [0] * 5
    print(f"{'kind':<40} {'trips':>5} {'photos':>6} {'outside':>8} {'placed':>7} {'open':>6} {'placed of one offset':>21}")
    for kind, trips in kinds(rng).items():
        counts = [0] * 5
        for trip in trips:
            with tempfile.TemporaryDirectory() as folder:
                counts = [one + other for one, other in zip(counts, judged(sys.argv[1], trip, pathlib.Path(folder), rng))]
        total = [one + other for one, other in zip(total, counts)]
        show(kind, len(trips), counts)
    show("all", 0, total)


def show(kind, trips, counts):
    outside, placed, left, clear, of_clear = counts
    photos = outside + placed + left
    share = f"{100 * clear / of_clear:.1f} % of {of_clear}" if of_clear else "-"
    print(f"{kind:<40} {trips or '':>5} {photos:>6} {100 * outside / photos:>6.1f} % {100 * placed / photos:>5.1f} % "
          f"{100 * left / photos:>4.1f} % {share:>21}", flush=True)


main()
