#!/usr/bin/env python3
"""Judges the alerts of a program in 156 kinds of walks beside those of the corpus.

  PHOTOSPOTS_CORPUS=FOLDER unseen.py PROGRAM [--seed N]... [--batch NAME]... [--set NAME=VALUE]...

PROGRAM   a photospots, built for release
FOLDER    the test data; the paths, noise and rules of judging are those of its folder golden
--seed    the seed of the noise, 1 by default
--batch   reported, second, third, fourth, fifth or sixth; all by default
--set     a setting of the watch
--twice   watches each feed a second time with the same state, and counts what fires again

A batch was made, and labelled, before the program was run on it; what it showed was mended after.
Only the first run of a batch was unseen; decision 66 has those figures. Prints precision and recall
of each batch and of each half, which a hash of the kind's name chooses.
"""

import argparse
import hashlib
import pathlib
import tempfile

from walks import fifth, fourth, making, reported, second, sixth, third

import core
import generate
import score

BATCHES = {
    "reported": reported, "second": second, "third": third, "fourth": fourth, "fifth": fifth,
    "sixth": sixth}


def half(name):
    """Chooses the half of a kind, A or B."""
    return "AB"[hashlib.sha256(name.encode()).digest()[0] & 1]


def made(kind, seed, folder):
    """Writes a walk of a kind, and returns its folder."""
    trace = making.build(kind, seed)
    core.write(trace, str(folder))
    place = folder / trace.name
    (place / "feed.ndjson").write_text("\n".join(generate.ndjson(trace.fixes)) + "\n")
    return str(place)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--seed", type=int, action="append")
    parser.add_argument("--batch", choices=BATCHES, action="append")
    parser.add_argument("--set", action="append", default=[])
    parser.add_argument("--twice", action="store_true")
    given = parser.parse_args()
    rows, again = [], [] if given.twice else None
    with tempfile.TemporaryDirectory() as scratch:
        for batch in given.batch or BATCHES:
            own = []
            for seed in given.seed or [1]:
                folder = pathlib.Path(scratch) / batch / str(seed)
                for kind in BATCHES[batch].ALL:
                    place = made(kind, seed, folder)
                    alerts = score.from_binary(given.program, place, given.set, again)
                    own.append(score.judge(score.load(place), alerts))
            print(score.line(batch, score.total(own)), flush=True)
            rows += own
    for name in "AB":
        print(score.line(f"half {name}", score.total([row for row in rows if half(row["trace"]) == name])))
    print(score.line("all", score.total(rows)))
    if again is not None:
        print(f"fired again when watched a second time: {sum(again)}")


if __name__ == "__main__":
    main()
