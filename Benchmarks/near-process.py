#!/usr/bin/env python3
"""Times `photospots near` as a whole process, beside SQLite's R*Tree through its shell.

  near-process.py INDEX LATITUDE LONGITUDE ROUNDS PROGRAM [PROGRAM ...]

INDEX    an index file
ROUNDS   how often each is run, at least 5
PROGRAM  a photospots that was built for release; all take turns, so that what else the machine does meets all

The shell, sqlite3, asks an R*Tree of the photos' positions for those within 100 m, nearest first: box, then
haversine. It finds its tree built, knows no spots, and rounds positions to single precision, so it is given them beside
the tree too; photospots reads its index anew and clusters. Prints medians and least values of the
wall time and of the processor's, the greatest peak memory, and ratios of the medians. A round before the first fills
the page cache.
"""
import json
import os
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time

RADIUS = 100


def build_tree(index, path):
    """Makes a database of the photos of an index."""
    with open(index, encoding="utf-8", errors="surrogatepass") as file:
        photos = json.load(file)["photos"]
    rows = list(enumerate(zip(photos["latitude"], photos["longitude"])))
    database = sqlite3.connect(path)
    database.execute(
        "create virtual table places using rtree(id, south, north, west, east, +latitude, +longitude)")
    database.executemany(
        "insert into places values (?, ?, ?, ?, ?, ?, ?)",
        ((number, lat, lat, lon, lon, lat, lon) for number, (lat, lon) in rows))
    database.commit()
    database.close()


def question(latitude, longitude):
    """The query of the shell; away from the poles and the antimeridian, where a box needs more care."""
    return f"""
        with near as (
          select id, 2 * 6371008.8 * asin(sqrt(pow(sin(radians(latitude - {latitude}) / 2), 2)
            + cos(radians(latitude)) * cos(radians({latitude}))
            * pow(sin(radians(longitude - {longitude}) / 2), 2))) as distance
          from places, (select {RADIUS} / 111194.9 + 1e-5 as height,
            {RADIUS} / (111194.9 * cos(radians({latitude}))) * 1.001 + 1e-4 as width)
          where north >= {latitude} - height and south <= {latitude} + height
            and east >= {longitude} - width and west <= {longitude} + width)
        select id, distance from near where distance <= {RADIUS} order by distance, id;"""


def run(command):
    start = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    wall = time.perf_counter() - start
    if status != 0:
        sys.exit(f"near-process: {command[0]} failed with status {status}")
    return wall * 1e3, (usage.ru_utime + usage.ru_stime) * 1e3, usage.ru_maxrss / 1024


def main():
    if len(sys.argv) < 6 or not sys.argv[4].isdigit() or int(sys.argv[4]) < 5:
        sys.exit(__doc__)
    index, place, rounds, programs = sys.argv[1], sys.argv[2:4], int(sys.argv[4]), sys.argv[5:]
    with tempfile.TemporaryDirectory() as folder:
        database = os.path.join(folder, "places.db")
        # In a process of its own, since a child begins with its parent's peak memory.
        if os.fork() == 0:
            build_tree(index, database)
            os._exit(0)
        if os.wait()[1] != 0:
            sys.exit("near-process: the R*Tree could not be made")
        commands = {"sqlite3": ["sqlite3", database, question(*map(float, place))]}
        for program in programs:
            commands[program] = [program, "near", "--index", index, *place, "--radius", f"{RADIUS}m"]
        runs = {name: [] for name in commands}
        for number in range(rounds + 1):
            for name, command in commands.items():
                result = run(command)
                if number > 0:
                    runs[name].append(result)
    print(f"{rounds} rounds, medians")
    medians = {name: statistics.median(wall for wall, _, _ in found) for name, found in runs.items()}
    for name, found in runs.items():
        wall, processor, memory = zip(*found)
        print(
            f"{name}: wall {medians[name]:.1f} (least {min(wall):.1f}) ms, "
            f"processor {statistics.median(processor):.1f} (least {min(processor):.1f}) ms, "
            f"peak {max(memory):.0f} MiB, {medians[name] / medians['sqlite3']:.2f} of sqlite3")


main()
