#!/usr/bin/env python3
"""Measures a store: PostgreSQL with the tables of `photospots store migrate`.

    store.py BENCH PROGRAM [--photos 1000000] [--points FILE --queries FILE] [--folder FOLDER]
             [STAGE ...]

BENCH     store-bench, built for release with the trait Postgres
PROGRAM   photospots, built likewise
--points  photos as rows of three little-endian doubles (latitude, longitude, Unix seconds), in the
          order of capture; by default generated: home, a town, walks in sixteen cities, drives,
          outliers
--queries positions as such rows; by default near photos, and some far from all
STAGE     load, spots, newest, verify, near, small, watch; by default all

It starts its own server on a Unix socket in a folder below $TMPDIR, with fsync, as the user nobody
if run as root. Ratios compare measurements of the same run.

load    photos per second over one connection, and bytes per photo including its indexes
spots   all spots by one worker, compared with one process in memory; bytes per spot including its
        indexes
newest  adding the newest 1 %, compared with all spots
verify  the numbers of spots, and of answers to 5,000 queries, that differ from those in memory
near    100 m: the server's processor time, compared with ST_DWithin of PostGIS if it is installed
small   100 m in a library of 10,000
watch   over a generated library of 10,000: fixes per second of 1,000 modelled devices, compared with a
        watcher in memory; resident memory for each device; alerts per second that are on the disk,
        compared with bare inserts
"""

import argparse
import array
import glob
import json
import math
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile
import time

STAGES = ["load", "spots", "newest", "verify", "near", "small", "watch"]
PER_FOLDER = 400


def made_points(count):
    """The rows of photos of a generated library, the same in every run."""
    chance = random.Random(17)
    towns = [(chance.uniform(-60, 70), chance.uniform(-180, 180)) for _ in range(14)] + [(-17.7, 179.99), (78.2, 15.6)]
    rows = array.array("d")
    at = towns[0]
    for number in range(count):
        kind = chance.random()
        if kind < 0.3:
            latitude, longitude = 48.2 + chance.uniform(-1, 1) * 6e-4, 16.37 + chance.uniform(-1, 1) * 9e-4
        elif kind < 0.45:
            latitude, longitude = 48.2 + chance.gauss(0, 0.03), 16.37 + chance.gauss(0, 0.04)
        elif kind < 0.995:
            # A walk by a few metres per step, or a drive.
            step = 1e-3 if kind > 0.95 else 6e-5
            at = (at[0] + chance.gauss(0, step), at[1] + chance.gauss(0, step))
            if chance.random() < 2e-3:
                town = chance.choice(towns)
                at = (town[0] + chance.gauss(0, 0.02), town[1] + chance.gauss(0, 0.02))
            latitude, longitude = at
        else:
            latitude, longitude = chance.uniform(-90, 90), chance.uniform(-180, 180)
        longitude = (longitude + 180) % 360 - 180
        latitude = min(max(latitude, -90), 90)
        rows.extend((round(latitude * 360_000) / 360_000, round(longitude * 360_000) / 360_000,
                     1_100_000_000 + number * 600_000_000 // count))
    return rows


def made_queries(points, count):
    """Rows of positions near photos; one in twenty is anywhere."""
    chance = random.Random(18)
    rows = array.array("d")
    for _ in range(count):
        place = chance.randrange(len(points) // 3)
        latitude = points[3 * place] + chance.gauss(0, 5e-4)
        longitude = points[3 * place + 1] + chance.gauss(0, 5e-4)
        if chance.random() < 0.05:
            latitude, longitude = chance.uniform(-90, 90), chance.uniform(-180, 180)
        rows.extend((min(max(latitude, -90), 90), min(max(longitude, -180), 180), 0))
    return rows


def read_rows(path):
    rows = array.array("d")
    rows.frombytes(pathlib.Path(path).read_bytes())
    if sys.byteorder == "big":
        rows.byteswap()
    return rows


def write_rows(rows, path):
    rows = array.array("d", rows)
    if sys.byteorder == "big":
        rows.byteswap()
    path.write_bytes(rows.tobytes())


def write_index(points, count, path):
    """Writes an index file (version 1) of the first photos, which need not exist."""
    folders = [f"/library/{number:05}" for number in range((count + PER_FOLDER - 1) // PER_FOLDER)]
    zeros, nulls = [0] * count, [None] * count
    document = {
        "format": "photospots-index", "version": 1, "roots": [], "outcomes": ["located"], "cameras": [],
        "folders": folders,
        "files": {
            "folder": [number // PER_FOLDER for number in range(count)],
            "name": [f"IMG_{number:07}.JPG" for number in range(count)], "size": zeros, "modified": zeros,
            "inode": zeros, "outcome": zeros},
        "photos": {
            "file": list(range(count)), "latitude": list(points[0:3 * count:3]),
            "longitude": list(points[1:3 * count:3]), "altitude": nulls, "horizontalAccuracy": nulls,
            "heading": nulls, "magnetic": [False] * count,
            "captured": [int(seconds * 1000) for seconds in points[2:3 * count:3]],
            "utcOffset": [60 if number % 4 else None for number in range(count)], "camera": nulls,
            "rating": [None if number % 50 else 5 for number in range(count)],
            "favorite": [number % 50 == 0 for number in range(count)], "source": ["EXIF"] * count},
    }
    path.write_text(json.dumps(document, separators=(",", ":")))


class Server:
    """A PostgreSQL server on a Unix socket."""

    def __init__(self, folder):
        found = sorted(glob.glob("/usr/lib/postgresql/*/bin/initdb"), key=lambda path: int(path.split("/")[4]))
        if not found:
            sys.exit("store.py: PostgreSQL is not installed: apt-get install postgresql")
        self.programs = os.path.dirname(found[-1])
        self.folder = folder
        self.as_user = []
        if os.getuid() == 0:
            self.as_user = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
        for name in ["data", "sockets"]:
            (folder / name).mkdir()
            if self.as_user:
                shutil.chown(folder / name, 65534, 65534)
        self.run("initdb", "-D", folder / "data", "-U", "postgres", "-A", "trust", "-E", "UTF8", "--no-locale")
        settings = ["listen_addresses=", f"unix_socket_directories={folder / 'sockets'}", "shared_buffers=512MB",
                    "max_wal_size=4GB", "work_mem=32MB"]
        command = [*self.as_user, f"{self.programs}/postgres", "-D", str(folder / "data")]
        for setting in settings:
            command += ["-c", setting]
        self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd="/")
        for _ in range(600):
            if subprocess.run([f"{self.programs}/pg_isready", "-q", "-h", folder / "sockets"]).returncode == 0:
                break
            time.sleep(0.1)
        self.sql("create role photospots login", "postgres")
        self.sql("create database photos owner photospots", "postgres")
        self.address = f"postgres://photospots@/photos?host={folder / 'sockets'}"

    def run(self, name, *arguments):
        subprocess.run([*self.as_user, f"{self.programs}/{name}", *map(str, arguments)], check=True, cwd="/",
                       stdout=subprocess.DEVNULL)

    def sql(self, text, database="photos", mayFail=False):
        outcome = subprocess.run(
            ["psql", "-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-h", self.folder / "sockets", "-U", "postgres",
             "-d", database, "-c", text], capture_output=True, text=True)
        if outcome.returncode != 0 and not mayFail:
            sys.exit(f"store.py: {outcome.stderr}")
        return outcome.stdout.strip() if outcome.returncode == 0 else None

    def number(self, text):
        return float(self.sql(text))

    def stop(self):
        self.process.send_signal(2)
        self.process.wait()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bench")
    parser.add_argument("program")
    parser.add_argument("stages", nargs="*", metavar="STAGE", default=[])
    parser.add_argument("--photos", type=int, default=1_000_000)
    parser.add_argument("--points")
    parser.add_argument("--queries")
    parser.add_argument("--folder")
    arguments = parser.parse_intermixed_args()
    stages = arguments.stages or STAGES
    if not set(stages) <= set(STAGES):
        sys.exit(f"store.py: the stages are {', '.join(STAGES)}")
    bench, program = os.path.abspath(arguments.bench), os.path.abspath(arguments.program)

    points = read_rows(arguments.points) if arguments.points else made_points(arguments.photos)
    count = min(arguments.photos, len(points) // 3)
    queries = read_rows(arguments.queries) if arguments.queries else made_queries(points, 20_000)
    with tempfile.TemporaryDirectory(dir=arguments.folder, ignore_cleanup_errors=True) as name:
        folder = pathlib.Path(name)
        folder.chmod(0o755)
        server = Server(folder)
        try:
            measure(stages, bench, program, server, folder, points, count, queries)
        finally:
            server.stop()


def measure(stages, bench, program, server, folder, points, count, queries):
    def ask(*words):
        outcome = subprocess.run([bench, *map(str, words)], capture_output=True, text=True)
        if outcome.returncode != 0:
            sys.exit(f"store.py: store-bench {words[0]}: {outcome.stderr}")
        return json.loads(outcome.stdout)

    def tell(text):
        print(text, flush=True)

    def busy(outcome):
        """The processor time of the program and of the server, which other programs change less than the time."""
        return outcome["ownSeconds"] + outcome.get("serverSeconds", 0)

    store = server.address
    subprocess.run([program, "store", "migrate", store], check=True, stdout=subprocess.DEVNULL)
    whole, older, asked = folder / "whole.json", folder / "older.json", folder / "queries.f64"
    write_index(points, count, whole)
    write_index(points, count - count // 100, older)
    write_rows(queries, asked)
    tell(f"{count:,} photos, {os.cpu_count()} cores, {server.sql('show server_version')}")

    # All other stages need the loaded photos.
    loaded = ask("upload", store, "large", older)
    server.sql("checkpoint")
    size = server.number("select pg_total_relation_size('photo') + pg_total_relation_size('folder')") / loaded["photos"]
    tell(f"load    {loaded['added'] / loaded['seconds']:,.0f} photos/s a connection (server's processor "
         f"{loaded['serverSeconds']:.1f} s of {loaded['seconds']:.1f} s); {size:.0f} bytes a photo with indexes")
    alone = ask("cluster", whole)
    made = ask("work", store, "large")
    size = server.number("select pg_total_relation_size('spot')") / max(made["added"], 1)
    tell(f"spots   {made['added']:,} in {made['seconds']:.2f} s by one worker, {alone['seconds']:.2f} s in memory: "
         f"{made['seconds'] / alone['seconds']:.1f} times ({busy(made) / busy(alone):.1f} times the processor time); "
         f"{size:.0f} bytes a spot with indexes")
    if {"newest", "verify"} & set(stages):
        added = ask("upload", store, "large", whole)
        more = ask("work", store, "large")
        seconds = added["seconds"] + more["seconds"]
        tell(f"newest  {added['added']:,} photos: {added['seconds']:.2f} s to send, {more['seconds']:.2f} s for "
             f"{more['cells']:,} cells with {more['photos']:,} photos; {100 * more['seconds'] / made['seconds']:.0f} % "
             f"of all spots, {100 * seconds / made['seconds']:.0f} % with sending "
             f"({100 * (busy(added) + busy(more)) / busy(made):.0f} % of the processor time)")
    server.sql("vacuum analyze")
    if "verify" in stages:
        checked = ask("verify", store, "large", whole, asked)
        tell(f"verify  {checked['different']} of {checked['spots']:,} spots different; {checked['wrong']} of "
             f"{checked['queries']:,} answers wrong")
    if "near" in stages:
        near = ask("near", store, "large", asked, 100)
        tell(f"near    100 m: p50 {near['p50']:.0f} us, p99 {near['p99']:.0f} us; server "
             f"{near['serverMicroseconds']:.1f} us a query, {near['found'] / near['queries']:.1f} spots each")
        against_postgis(server, store, ask, asked, near, tell)
    if "small" in stages:
        small = folder / "small.json"
        few = array.array("d")
        stride = max(1, count // 10_000)
        for place in range(0, count, stride):
            few.extend(points[3 * place:3 * place + 3])
        write_index(few, len(few) // 3, small)
        ask("upload", store, "small", small)
        ask("work", store, "small")
        server.sql("vacuum analyze")
        near = ask("near", store, "small", asked, 100)
        tell(f"small   100 m in a library of {len(few) // 3:,}: p50 {near['p50']:.0f} us, p99 {near['p99']:.0f} us, "
             f"server {near['serverMicroseconds']:.1f} us a query")
    if "watch" in stages:
        watch = pathlib.Path(bench).with_name("store-watch-bench")
        if watch.exists():
            walked = folder / "walked.json"
            write_index(made_points(10_000), 10_000, walked)
            ask("upload", store, "watch", walked)
            ask("work", store, "watch")
            server.sql("vacuum analyze")
            for words in [["fixes", store, "watch", walked], ["memory", store, "watch", walked], ["alerts", store, "watch"]]:
                subprocess.run([watch, *words], check=True)
        else:
            tell("watch   store-watch-bench was not built")


def against_postgis(server, store, ask, asked, near, tell):
    if server.sql("create extension if not exists postgis", mayFail=True) is None:
        tell("        PostGIS is not installed")
        return
    server.sql(
        "create table spot_geography as select owner, id, cover, photo_count, "
        "ST_SetSRID(ST_MakePoint(longitude, latitude), 4326)::geography place from spot")
    server.sql("create index on spot_geography using gist (place)")
    server.sql("grant select on spot_geography to photospots")
    server.sql("vacuum analyze spot_geography")
    other = ask("postgis", store, "large", asked, 100)
    tell(f"        ST_DWithin: p50 {other['p50']:.0f} us, server {other['serverMicroseconds']:.1f} us a query, "
         f"{other['found']} found beside {near['found']}; near takes "
         f"{near['serverMicroseconds'] / max(other['serverMicroseconds'], 1e-9):.2f} of its processor time")


main()
