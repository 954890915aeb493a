#!/usr/bin/env python3
"""Measures the start of programs, and optionally a query, compared with that of an empty C program.

  process-start.py ROUNDS PROGRAM [PROGRAM ...] [-- ARGUMENT ...]

ROUNDS    the number of runs of each, at least 50
PROGRAM   a photospots built for release, or an installed one
ARGUMENT  a query to run besides `--version`: near --index INDEX 48.85 2.29

The programs run alternately, so that other load affects all of them; see Comparison/processes.py.
Prints medians of wall time, processor time and peak memory, the minimum wall time, and the medians
in excess of the empty program's. Needs a C compiler: `cc`, or the one named by CC.
"""
import pathlib
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parent / "Comparison"))
from processes import Starter


def main():
    words = sys.argv[1:]
    end = words.index("--") if "--" in words else len(words)
    programs, question = words[1:end], words[end + 1:]
    if not programs or not words[0].isdigit() or int(words[0]) < 50:
        sys.exit(__doc__)
    with tempfile.TemporaryDirectory() as folder:
        starter = Starter(folder)
        commands = {"a bare C program": [starter.bare]}
        for program in programs:
            commands[program] = [program, "--version"]
            if question:
                commands[f"{program} {question[0]}"] = [program, *question]
        found = starter.run(int(words[0]), commands)
    floor = found["a bare C program"]
    print(f"{'program':<40} {'wall ms':>8} {'least':>6} {'cpu ms':>7} {'MiB':>6} {'beyond C: ms':>13} {'MiB':>6}")
    for name, process in found.items():
        print(f"{name[-40:]:<40} {process.wall:8.2f} {process.least:6.2f} {process.processor:7.2f} {process.peak:6.1f} "
              f"{process.wall - floor.wall:13.2f} {process.peak - floor.peak:6.1f}")


main()
