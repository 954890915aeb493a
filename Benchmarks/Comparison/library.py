"""Measures loading, saving and opening the index file."""
import os
import pathlib

from measuring import Run, alternate, note
from table import Row


def compare(bench):
    """Returns the rows."""
    note(f"index file, {bench.size:,} photos")
    index = bench.index(bench.size)
    # Converts the file to the format of this version, like the first query.
    open_milliseconds(bench, index)
    found = alternate(bench.rounds, {
        "ours": lambda: save(bench, index), "open": lambda: open_milliseconds(bench, index),
        "parse": lambda: Run([bench.peer("simdjson"), index]).figures()["parse", "ms"]}, warm_up=True)
    ours = found["ours"]
    title = f"{bench.size_name} photos: "
    return [
        Row(title + "save the document, without the fsync", ours["save"], "ms", most=600),
        Row(title + "make spots, save both files", ours["save with spots"], "ms"),
        Row(title + "load the document", ours["load"], "ms", "simdjson on demand, the parse alone", found["parse"]),
        Row(title + "open the mapped file", found["open"], "ms"),
    ]


def save(bench, index):
    """The milliseconds of loading, and of saving in memory, which needs no fsync."""
    folder = pathlib.Path("/dev/shm" if os.path.isdir("/dev/shm") else bench.work)
    copy = folder / f"photospots-peers-{os.getpid()}.json"
    try:
        figures = Run([bench.library, "save", index, copy]).figures()
        return {work: figures[work, "ms"] for work in ("load", "save", "save with spots")}
    finally:
        for file in folder.glob(copy.name + "*"):
            file.unlink()


def open_milliseconds(bench, index):
    return Run([bench.library, "open", index]).figures()["open", "ms"]
