#!/usr/bin/env python3
"""Compares two versions of the program in one run: a full index, a rescan, and each fix of a feed.

  versions.py ROUNDS OLDER NEWER FOLDER [FEED]

ROUNDS   the number of runs of each, at least 9
OLDER    a photospots built for release
NEWER    another one, built in the same way
FOLDER   a folder of photos
FEED     a recorded feed, near the photos, of at least 100,000 fixes

The programs run alternately, so that other load affects both; see Comparison/processes.py. They
use folders of their own instead of the user's. Prints medians of wall time, processor time and
peak memory of both, and the ratios of the newer to the older. Needs a C compiler: `cc`, or the one
named by CC.
"""
import os
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parent / "Comparison"))
from processes import Starter


def main():
    words = sys.argv[1:]
    if len(words) not in (4, 5) or not words[0].isdigit() or int(words[0]) < 9:
        sys.exit(__doc__)
    rounds, programs, folder, feed = int(words[0]), words[1:3], words[3], words[4:]
    with tempfile.TemporaryDirectory() as own:
        for name in ("CACHE", "CONFIG", "DATA", "STATE"):
            os.environ[f"XDG_{name}_HOME"] = os.path.join(own, name.lower())
        starter = Starter(own)
        indexes = [os.path.join(own, f"{version}.json") for version in ("older", "newer")]
        scans = [[program, "index", folder, "--index", index] for program, index in zip(programs, indexes)]
        # Both files of an index are removed before a full one.
        full = [["sh", "-c", 'rm -f "$0" "$0.mapped"; exec "$@"', index, *scan] for index, scan in zip(indexes, scans)]
        follow = [[program, "watch", *feed, "--index", index, "--quiet"] for program, index in zip(programs, indexes)]
        print(f"{'':<12} {'older: wall ms':>14} {'cpu ms':>7} {'MiB':>6} {'newer: wall ms':>15} {'cpu ms':>7} {'MiB':>6} "
              f"{'wall':>6} {'cpu':>6}")
        report(starter, rounds, "full index", full)
        for scan in scans:
            subprocess.run(scan, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        report(starter, rounds, "rescan", scans)
        if feed:
            report(starter, rounds, "watch", follow)


def report(starter, rounds, name, commands):
    found = starter.run(rounds, dict(zip(("older", "newer"), commands)))
    older, newer = found["older"], found["newer"]
    print(f"{name:<12} {older.wall:14.1f} {older.processor:7.1f} {older.peak:6.1f} {newer.wall:15.1f} "
          f"{newer.processor:7.1f} {newer.peak:6.1f} {newer.wall / older.wall:6.3f} "
          f"{newer.processor / older.processor:6.3f}", flush=True)


main()
