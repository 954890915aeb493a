"""Compares PhotoSpots with its peers and writes RESULTS.md; run by peers.sh after building them.

Environment variables: ROUNDS, SIZE, FILES, GROWTH, LARGE and STAGES; POINTS and QUERIES for the
user's own files.
"""
import os
import pathlib
import signal
import sys
import tempfile

import machine
import table
from measuring import Run, note

HERE = pathlib.Path(__file__).resolve().parent.parent
ALL_STAGES = ["start", "questions", "library", "indexing", "spatial", "clustering", "watching", "large", "growth"]
SUFFIXES = {"k": 1000, "M": 1_000_000}


class Bench:
    """The parameters of the measurements, and their files, which are made when first used."""

    def __init__(self, work):
        self.work = pathlib.Path(work)
        self.rounds = int(os.environ.get("ROUNDS") or 5)
        self.size_name = os.environ.get("SIZE") or "1M"
        self.size = size(self.size_name)
        self.files = size(os.environ.get("FILES") or "100k")
        self.growth = [size(word) for word in (os.environ.get("GROWTH") or "10k,100k,1M,10M").split(",")]
        self.large_name = os.environ.get("LARGE") or "10M"
        self.large = size(self.large_name)
        self.stages = (os.environ.get("STAGES") or ",".join(ALL_STAGES)).split(",")
        # The number of places and positions that are verified by full scans.
        self.checks = 100
        programs = pathlib.Path(os.environ["PEERS_SWIFT"])
        self.spatial, self.library, self.watcher = (
            programs / name for name in ("spatial-peer", "library-peer", "watcher-peer"))
        self.photospots = pathlib.Path(os.environ["PEERS_PHOTOSPOTS"])
        self.program_kind = os.environ["PEERS_KIND"]
        if self.rounds < 1 or not set(self.stages) <= set(ALL_STAGES):
            sys.exit(f"peers: ROUNDS is at least 1, and STAGES some of {','.join(ALL_STAGES)}")

    def peer(self, name):
        return pathlib.Path(os.environ["PEERS_BUILT"]) / name

    def made(self, name, make):
        path = self.work / name
        if not path.exists():
            make(path)
        return path

    def layout(self, name, count):
        return self.made(f"{name}-{count}.f64", lambda path: Run([self.spatial, "generate", name, count, path]))

    def points(self, count):
        own = os.environ.get("POINTS")
        if own and count == self.size:
            return pathlib.Path(own)
        return self.layout("library", count)

    def queries(self, count):
        own = os.environ.get("QUERIES")
        if own and count == self.size:
            return pathlib.Path(own)
        return self.made(
            f"queries-{count}.f64", lambda path: Run([self.spatial, "queries", 10_000, self.points(count), path]))

    def index(self, count):
        return self.made(f"index-{count}.json", lambda path: Run([self.library, "index", self.points(count), path]))

    def photos(self, count):
        return pathlib.Path(Run([self.library, "photos", count], env={**os.environ, "TMPDIR": str(self.work)}).text.strip())


def size(text):
    number = text.rstrip("kM")
    if not number.isdigit() or not 1 <= int(number) * SUFFIXES.get(text[len(number):], 1) <= 10_000_000:
        sys.exit(f"peers: '{text}' is no size; write 500, 10k or 1M, up to 10M")
    return int(number) * SUFFIXES.get(text[len(number):], 1)


def main():
    # The temporary folder is removed when the process ends, also by a signal.
    for ending in (signal.SIGINT, signal.SIGTERM):
        signal.signal(ending, lambda number, _: sys.exit(128 + number))
    results = pathlib.Path(os.environ.get("RESULTS") or HERE / "RESULTS.md")
    load = machine.load()
    with tempfile.TemporaryDirectory(prefix="photospots-peers.") as work:
        bench = Bench(work)
        rows, grown = [], {}
        for stage in bench.stages:
            if stage == "growth":
                import growth
                grown = growth.measure(bench)
            else:
                rows += __import__(stage).compare(bench)
    plot = results.with_name("growth.png")
    text = report(bench, rows, load)
    if grown:
        growth.draw(grown, plot)
        text += "\n## Growth\n\n" + growth.markdown(grown) + f"\n![Time against the number of photos]({plot.name})\n"
    results.write_text(text, encoding="utf-8")
    print(text)
    if any(row.work.startswith(("wrong answers", "answers", "photos in another", "positions of")) and not row.is_met
           for row in rows):
        sys.exit("peers: answers differ")


def report(bench, rows, load):
    names = ", ".join(f"{name} {version}" for name, version in machine.versions().items())
    busy = max(load, machine.load())
    # One process is always this benchmark's own.
    warning = ("\n**The machine was busy with other things: the figures say little, what answers agree says all.**\n"
               if busy > os.cpu_count() + 1 else "")
    return f"""# PhotoSpots and its peers

Written by `make bench-peers` on {machine.today()}. {machine.describe()}; load {load:.1f} before and
{machine.load():.1f} after. Medians of {bench.rounds} rounds (above a million photos, of fewer) in which all take turns on the same files. Swift programs are built
for release, the program is {bench.program_kind}; C++ with -O3 -march=native. {"Points and queries are given. " if os.environ.get("POINTS") else ""}A ratio is our figure by the peer's.
{warning}
{table.markdown(rows)}
PostGIS (ST_ClusterDBSCAN) is not among the peers: it needs a database server, and its answer is another.

{names}.
{missing(bench)}"""


def missing(bench):
    left_out = [stage for stage in ALL_STAGES if stage not in bench.stages]
    return f"\nNot measured this time: {', '.join(left_out)}.\n" if left_out else ""


main()
