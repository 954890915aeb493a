#!/usr/bin/env python3
"""Measures an index of any size: what changing, opening and asking it take.

    large-index.py PROGRAM [PHOTOS] [FOLDER]

Writes an index file of so many photos (10,000,000) in FOLDER ($TMPDIR): a third of them within 100 m, the others
in a thousand towns, each with a time. Then runs, each in a process of its own: `forget` of a thousand photos,
which loads the index, finds shots and spots and saves both files; `near` where there are many photos and where
there are none, ten times each; `spots --limit 20`; and `watch` for a single fix. Prints wall and processor time
(medians), peak memory, and for `watch` the memory that is the process's own. 10 million photos take 5 GB of disk
and 6 GB of memory; what is written is removed at the end.
"""

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time

from places import PER_FOLDER, place

ROUNDS = 10


def write(path, count):
    with open(path, "w", encoding="ascii") as file:
        def column(name, value, numbers=None):
            file.write(f'"{name}":[')
            numbers = numbers or range(count)
            for start in range(0, len(numbers), 100_000):
                part = numbers[start:start + 100_000]
                file.write(("," if start else "") + ",".join([value(number) for number in part]))
            file.write("]")

        folders = range((count + PER_FOLDER - 1) // PER_FOLDER)
        file.write('{"format":"photospots-index","version":1,"roots":[{"path":"/photos","stale":false}],')
        file.write('"outcomes":["located"],"cameras":[["Maker","Model"]],"focalLengths":[],')
        column("folders", lambda number: f'"/photos/{number:06}"', folders)
        tables = {
            "files": {
                "folder": lambda number: str(number // PER_FOLDER), "name": lambda number: f'"IMG_{number:08}.JPG"',
                "size": lambda number: "3000000", "modified": lambda number: "1700000000000000000",
                "inode": lambda number: str(number + 10), "outcome": lambda number: "0",
            },
            "photos": {
                "file": str, "latitude": lambda number: f"{place(number)[0]:.9f}",
                "longitude": lambda number: f"{place(number)[1]:.9f}", "altitude": lambda number: "null",
                "horizontalAccuracy": lambda number: "null", "heading": lambda number: "null",
                "magnetic": lambda number: "false", "captured": lambda number: str(1_000_000_000_000 + number * 60_000),
                "utcOffset": lambda number: "60", "camera": lambda number: "0", "rating": lambda number: "null",
                "favorite": lambda number: "false", "source": lambda number: '"EXIF"',
            },
        }
        for table, columns in tables.items():
            file.write(f',"{table}":{{')
            for place_in_table, (name, value) in enumerate(columns.items()):
                file.write("," if place_in_table else "")
                column(name, value)
            file.write("}")
        file.write(',"shots":[]}\n')


def run(command, text=None):
    """Seconds, those of the processor, and the peak memory in MiB."""
    start = time.monotonic()
    process = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    process.stdin.write(text or b"")
    process.stdin.close()
    _, status, usage = os.wait4(process.pid, 0)
    if status != 0:
        raise SystemExit(f"large-index: {' '.join(command[1:3])} failed with status {status}")
    return time.monotonic() - start, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def row(name, runs):
    seconds, processor, memory = zip(*runs)
    print(
        f"{name}: {statistics.median(seconds) * 1000:.1f} ms, {statistics.median(processor) * 1000:.1f} ms of the"
        f" processor (least {min(processor) * 1000:.1f}), {max(memory):.0f} MiB at the peak", flush=True)


def own_memory(program, index, place):
    """How soon a watch decides about a fix, and its MiB without the pages of the mapped file."""
    state = os.path.join(os.path.dirname(index), "state")
    now = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
    fix = {"time": now, "latitude": place[0], "longitude": place[1], "horizontalAccuracy": 5}
    start = time.monotonic()
    process = subprocess.Popen(
        [program, "watch", "-", "--explain", "--index", index, "--state", state], stdin=subprocess.PIPE,
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    process.stdin.write(json.dumps(fix).encode() + b"\n")
    process.stdin.flush()
    process.stdout.readline()
    seconds = time.monotonic() - start
    with open(f"/proc/{process.pid}/smaps_rollup", encoding="ascii") as file:
        own = sum(int(line.split()[1]) for line in file if line.startswith("Private_Dirty:"))
    process.stdin.close()
    process.wait()
    print(f"watch: first decision after {seconds * 1000:.1f} ms, {own / 1024:.1f} MiB of its own", flush=True)


def main():
    if len(sys.argv) < 2:
        raise SystemExit(__doc__)
    program = sys.argv[1]
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 10_000_000
    home, nowhere = place(3), (80.0, 170.0)
    with tempfile.TemporaryDirectory(dir=sys.argv[3] if len(sys.argv) > 3 else None) as folder:
        index = os.path.join(folder, "index.json")
        write(index, count)
        print(f"{count} photos: version 1 {os.path.getsize(index) / 1e6:.0f} MB", flush=True)
        row("forget", [run([program, "forget", "--index", index, f"/photos/{number:06}"]) for number in (1, 2)])
        sizes = [os.path.getsize(index + ending) / 1e6 for ending in ("", ".mapped")]
        print(f"index.json {sizes[0]:.0f} MB, index.json.mapped {sizes[1]:.0f} MB", flush=True)
        row("a start, --version", [run([program, "--version"]) for _ in range(ROUNDS)])
        for name, (latitude, longitude) in {"near, at home": home, "near, far away": nowhere}.items():
            asked = [program, "near", "--index", index, str(latitude), str(longitude), "--limit", "20"]
            row(name, [run(asked) for _ in range(ROUNDS)])
        row("spots --limit 20", [run([program, "spots", "--index", index, "--limit", "20"]) for _ in range(ROUNDS)])
        own_memory(program, index, home)


main()
