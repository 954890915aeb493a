"""Measures queries of an index as whole processes, compared with SQLite's shell, and `watch`."""
import csv
import io
import json
import math
import subprocess

from measuring import Run, alternate, note, peak_memory
from processes import Starter, watch
from table import Row

PLACES = 7
ROUNDS = 10


def compare(bench):
    """Returns the rows for up to 100,000 photos, and for all."""
    small = min(bench.size, 100_000)
    index = bench.index(small)
    rows = beside_sqlite(bench, small, index)
    if bench.size > small:
        rows += others(bench, bench.size, bench.size_name, bench.index(bench.size), over_start=3)
    return rows


def beside_sqlite(bench, size, index):
    note(f"near, {size:,} photos")
    spots = all_spots(bench, index)
    places = spread(spots)
    database = bench.work / "spots.sqlite"
    fill(database, spots)
    start, near, sqlite = in_turns(bench, index, places, database)
    differing = sum(
        [spot["id"] for spot in json.loads(Run([*near_command(bench, index, place), "--format", "json"]).output)]
        != Run(["sqlite3", database, query(*place)]).text.split() for place in places)
    title = f"{size:,} photos: `near`, the whole process"
    return [
        Row(title + OVER_START, near - start, "ms", most=2),
        Row(title, near, "ms", f"sqlite3 with an R*Tree of the {len(spots):,} spots, a whole process", sqlite, 2.0),
        Row("answers of `near` that differ from SQLite's", differing, "", most=0),
    ]


def others(bench, size, size_name, index, over_start):
    """The rows of the other queries, and of `near`."""
    note(f"questions, {size:,} photos")
    title = f"{size_name} photos: "
    spots = all_spots(bench, index)
    places = spread(spots)
    start, near, _ = in_turns(bench, index, places)
    rows = [
        Row(title + "`near`, the whole process" + OVER_START, near - start, "ms", most=over_start),
        Row(title + "`near`, the whole process", near, "ms", "a start, `--version`", start),
        Row(title + "`near`, peak memory, mapped pages included",
            peak_memory(near_command(bench, index, places[0])), "MiB"),
    ]
    state = bench.work / "muted"
    asked = {
        "`near --photos`": [*near_command(bench, index, places[len(places) // 2]), "--photos"],
        "`spots --limit 20`": [bench.photospots, "spots", "--index", index, "--limit", "20"],
        "`mute ID`": [bench.photospots, "mute", spots[len(spots) // 2]["id"], "--index", index, "--state", state],
    }
    # Some hundreds of spots, and some thousands.
    for place in places[1], places[len(places) // 2]:
        box = [bench.photospots, "spots", "--index", index, "--box=" + around(place)]
        asked[f"`spots --box` of 0.02°, {len(Run(box).text.splitlines()):,} spots"] = box
    found = Starter(bench.work).run(ROUNDS * bench.rounds, asked)
    rows += [Row(f"{title}{name}, the whole process", process.wall, "ms", most=15) for name, process in found.items()]
    return rows + watching(bench, title, index, places[0])


def around(place):
    """A box of 0.02°: south, west, north, east."""
    return ",".join(f"{degrees + by:.5f}" for by in (-0.01, 0.01) for degrees in place)


def watching(bench, title, index, place):
    watched = alternate(bench.rounds, {
        "watch": lambda: watch(bench.photospots, index, bench.work / "state", place)}, warm_up=True)["watch"]
    return [
        Row(title + "`watch`, from the start to the first decision", watched["wall"], "ms", most=50),
        Row(title + "`watch`, memory of its own", watched["own"], "MiB", most=15),
        Row(title + "`watch`, resident memory, mapped pages included", watched["resident"], "MiB"),
    ]


OVER_START = ", beyond a start (`--version`)"


def near_command(bench, index, place):
    return [bench.photospots, "near", "--index", index, *map(str, place)]


def in_turns(bench, index, places, database=None):
    """The milliseconds of a start, of `near`, and of SQLite's shell if there is a database.

    Each is the mean over the places of the medians.
    """
    commands = {"start": [bench.photospots, "--version"]}
    for number, place in enumerate(places):
        commands["near", number] = near_command(bench, index, place)
        if database:
            commands["sqlite", number] = ["sqlite3", database, query(*place)]
    found = Starter(bench.work).run(ROUNDS * bench.rounds, commands)

    def mean(name):
        walls = [process.wall for key, process in found.items() if key[0] == name]
        return sum(walls) / len(walls) if walls else None

    return found["start"].wall, mean("near"), mean("sqlite")


def all_spots(bench, index):
    return list(csv.DictReader(io.StringIO(
        Run([bench.photospots, "spots", "--index", index, "--format", "csv"]).text)))


def spread(spots):
    """A few places, each 30 m from a spot with many or few photos."""
    return [(float(spot["latitude"]) + 0.0003, float(spot["longitude"]))
            for spot in spots[::max(1, len(spots) // PLACES)] if abs(float(spot["latitude"])) < 80
            and abs(float(spot["longitude"])) < 179][:PLACES]


def fill(database, spots):
    """Makes a database of spots, with exact positions, since R*Tree boxes are single-precision."""
    database.unlink(missing_ok=True)
    rows = ",\n".join(
        f"({number},{spot['latitude']},{spot['latitude']},{spot['longitude']},{spot['longitude']},"
        f"'{spot['id']}',{spot['latitude']},{spot['longitude']})" for number, spot in enumerate(spots))
    subprocess.run(["sqlite3", database], check=True, text=True, input=(
        "CREATE VIRTUAL TABLE spots USING rtree(number, south, north, west, east, +id, +latitude, +longitude);"
        f"INSERT INTO spots VALUES {rows};"))


def query(latitude, longitude, meters=100.0, radius=6371008.8):
    """The SQL for spots within a distance, nearest first; not for poles and the antimeridian."""
    height = math.degrees(meters / radius) + 1e-4
    width = height / math.cos(math.radians(latitude))
    distance = (f"2*{radius}*asin(sqrt(pow(sin(radians(latitude-({latitude}))/2),2)+cos(radians(latitude))"
                f"*cos(radians({latitude}))*pow(sin(radians(longitude-({longitude}))/2),2)))")
    return (f"SELECT id FROM (SELECT id, {distance} AS distance FROM spots WHERE north>={latitude - height} "
            f"AND south<={latitude + height} AND east>={longitude - width} AND west<={longitude + width}) "
            f"WHERE distance<={meters} ORDER BY distance, id")
