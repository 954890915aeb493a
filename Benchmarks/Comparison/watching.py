"""Compares the watcher with a query per fix: by nanoflann's k-d tree, and by pipelined Redis."""
import pathlib

from measuring import Run, alternate, note
from table import Row


def compare(bench):
    """Returns the rows."""
    note("watcher, 200,000 spots, a million fixes")
    watcher, spots, fixes = bench.watcher, bench.work / "spots.f64", bench.work / "fixes.f64"
    Run([watcher, "write", spots, fixes])
    redis = pathlib.Path(__file__).parent.parent / "Peers" / "watcher-redis.py"

    def first_number(command):
        return float(Run(command).text.split()[0])

    found = alternate(bench.rounds, {
        "ours": lambda: first_number([watcher, "run", spots, fixes, 10]),
        "every": lambda: first_number([watcher, "run", spots, fixes, 0]),
        "nanoflann": lambda: first_number([bench.peer("watcher-nanoflann"), spots, fixes]),
        "redis": lambda: first_number([redis, spots, fixes])})
    title = "watcher, 200,000 spots, a million fixes of a walk at 1 Hz: a fix"
    tree, server = "nanoflann, a query of 100 m", "Redis, pipelined GEOSEARCH of 100 m"
    return [
        Row(title, found["ours"], "ns", tree, found["nanoflann"], 0.5),
        Row(title, found["ours"], "ns", server, found["redis"], 1 / 120),
        Row(title + ", none filtered by distance", found["every"], "ns", tree, found["nanoflann"]),
    ]
