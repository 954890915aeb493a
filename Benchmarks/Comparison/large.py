"""Measures an index of ten million photos: changes, saving, opening, queries, and memory."""
import statistics
import subprocess

import library
import questions
from measuring import Run, note
from table import Row

ROUNDS = 3


def compare(bench):
    """Returns the rows; needs 6 GB of memory and, below $TMPDIR and in /dev/shm, 9 GB."""
    note(f"{bench.large:,} photos")
    title = f"{bench.large_name} photos: "
    points = bench.layout("library", bench.large)
    index = bench.made(f"large-{bench.large}.json", lambda path: Run([bench.library, "index", points, path]))
    # The first change also upgrades the document and makes the spots.
    changes = [change(bench, index, folder) for folder in range(2)]
    rows = [
        Row(title + "forget a folder: load, shots, spots, save both files", changes[-1]["seconds"] * 1000, "ms"),
        Row(title + "the same, of the processor", changes[-1]["processor"] * 1000, "ms"),
        Row(title + "the same, peak memory", changes[-1]["peak"], "MiB"),
        Row(title + "size of both files", sum(
            file.stat().st_size for file in (index, index.with_name(index.name + ".mapped"))) / 2**20, "MiB"),
    ]
    saved = [library.save(bench, index) for _ in range(min(bench.rounds, ROUNDS))]
    opened = [library.open_milliseconds(bench, index) for _ in range(bench.rounds)]
    rows += [
        Row(title + "load the document", statistics.median(save["load"] for save in saved), "ms"),
        Row(title + "save the document, without the fsync", statistics.median(save["save"] for save in saved), "ms"),
        Row(title + "open the mapped file", statistics.median(opened), "ms"),
    ]
    rows += questions.others(bench, bench.large, bench.large_name, index, over_start=5)
    for file in (index, index.with_name(index.name + ".mapped"), points):
        file.unlink()
    return rows


def change(bench, index, folder):
    """Forgets a folder of photos; returns the times and the peak memory.

    It uses GNU time, since a child's peak memory would include that of this large process.
    """
    command = [bench.photospots, "forget", "--index", index, f"/library/{folder:05}"]
    run = subprocess.run(["/usr/bin/time", "-f", "%e %U %S %M", *map(str, command)], check=True,
                         stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    wall, user, system, peak = map(float, run.stderr.split()[-4:])
    return {"seconds": wall, "processor": user + system, "peak": peak / 1024}
