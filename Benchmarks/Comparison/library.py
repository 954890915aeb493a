"""The index file: to load and save it, `near` as a process beside SQLite's shell, and the memory of `watch`."""
import csv
import datetime
import io
import json
import math
import os
import pathlib
import struct
import subprocess
import time

from measuring import Run, alternate, note, peak_memory
from table import Row

PLACES = 7


def compare(bench):
    """Returns the rows."""
    return large(bench) + small(bench)


def large(bench):
    note(f"index file, {bench.size:,} photos")
    index = bench.index(bench.size)
    # A file in memory needs no fsync.
    copy = pathlib.Path("/dev/shm" if os.path.isdir("/dev/shm") else bench.work, f"photospots-peers-{os.getpid()}.json")

    with open(bench.points(bench.size), "rb") as points:
        first = struct.unpack("<2d", points.read(16))

    near = [bench.photospots, "near", "--index", index, *first]

    try:
        found = alternate(bench.rounds, {
            "near": lambda: Run(near).seconds * 1000, "save": lambda: Run([bench.library, "save", index, copy]).figures()["save", "ms"],
            "parse": lambda: Run([bench.peer("simdjson"), index]).figures()["parse", "ms"]}, warm_up=True)
    finally:
        copy.unlink(missing_ok=True)
        pathlib.Path(f"{copy}.lock").unlink(missing_ok=True)
    title = f"{bench.size_name} photos: "
    load = title + "load and cluster, one answer, the whole process `near`"
    return [
        Row(load, found["near"], "ms", most=800),
        Row(load, found["near"], "ms", "simdjson on demand, the parse alone", found["parse"]),
        Row(load + ", peak memory", peak_memory(near), "MiB", most=300),
        Row(title + "save, without the fsync", found["save"], "ms", most=1000),
    ]


def small(bench):
    """100,000 photos, or all where there are fewer."""
    size = min(bench.size, 100_000)
    note(f"near and watch, {size:,} photos")
    index = bench.index(size)
    database = bench.work / "spots.sqlite"
    spots = list(csv.DictReader(io.StringIO(
        Run([bench.photospots, "spots", "--index", index, "--format", "csv"]).text)))
    fill(database, spots)
    places = [(float(spot["latitude"]) + 0.0003, float(spot["longitude"]))
              for spot in spots[::max(1, len(spots) // PLACES)] if abs(float(spot["latitude"])) < 80
              and abs(float(spot["longitude"])) < 179][:PLACES]

    def near(place):
        return Run([bench.photospots, "near", "--index", index, "--format", "json", *place])

    def sqlite(place):
        return Run(["sqlite3", database, query(*place)])

    found = alternate(bench.rounds, {
        "near": lambda: sum(near(place).seconds for place in places) / len(places),
        "sqlite": lambda: sum(sqlite(place).seconds for place in places) / len(places)}, warm_up=True)
    differing = sum([spot["id"] for spot in json.loads(near(place).output)] != sqlite(place).text.split()
                    for place in places)
    title = f"{size:,} photos: "
    return [
        Row(title + "`near` as a whole process", found["near"] * 1000, "ms", most=60),
        Row(title + "`near` as a whole process", found["near"] * 1000, "ms",
            f"sqlite3 with an R*Tree of the {len(spots):,} spots, a whole process", found["sqlite"] * 1000),
        Row("answers of `near` that differ from SQLite's", differing, "", most=0),
        Row(title + "resident memory of `watch`", watch_memory(bench, index, places[0]), "MiB", most=50),
    ]


def fill(database, spots):
    """Makes a database of spots: an R*Tree keeps boxes in single precision, so the exact position stands beside."""
    database.unlink(missing_ok=True)
    rows = ",\n".join(
        f"({number},{spot['latitude']},{spot['latitude']},{spot['longitude']},{spot['longitude']},"
        f"'{spot['id']}',{spot['latitude']},{spot['longitude']})" for number, spot in enumerate(spots))
    subprocess.run(["sqlite3", database], check=True, text=True, input=(
        "CREATE VIRTUAL TABLE spots USING rtree(number, south, north, west, east, +id, +latitude, +longitude);"
        f"INSERT INTO spots VALUES {rows};"))


def query(latitude, longitude, meters=100.0, radius=6371008.8):
    """Spots within a distance, nearest first; not for the poles and the antimeridian."""
    height = math.degrees(meters / radius) + 1e-4
    width = height / math.cos(math.radians(latitude))
    distance = (f"2*{radius}*asin(sqrt(pow(sin(radians(latitude-({latitude}))/2),2)+cos(radians(latitude))"
                f"*cos(radians({latitude}))*pow(sin(radians(longitude-({longitude}))/2),2)))")
    return (f"SELECT id FROM (SELECT id, {distance} AS distance FROM spots WHERE north>={latitude - height} "
            f"AND south<={latitude + height} AND east>={longitude - width} AND west<={longitude + width}) "
            f"WHERE distance<={meters} ORDER BY distance, id")


def watch_memory(bench, index, place):
    """The resident memory in MiB when the first fix of a live feed has been decided about."""
    state = bench.work / "state"
    watch = subprocess.Popen(
        [bench.photospots, "watch", "-", "--explain", "--index", index, "--state", state],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    try:
        now = datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.000Z")
        fix = {"time": now, "latitude": place[0], "longitude": place[1], "horizontalAccuracy": 5}
        watch.stdin.write(json.dumps(fix).encode() + b"\n")
        watch.stdin.flush()
        watch.stdout.readline()
        # What the load left behind is given back within moments, or never.
        time.sleep(1)
        with open(f"/proc/{watch.pid}/status") as status:
            return next(int(line.split()[1]) for line in status if line.startswith("VmRSS")) / 1024
    finally:
        watch.kill()
        watch.wait()
