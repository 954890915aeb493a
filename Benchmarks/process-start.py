#!/usr/bin/env python3
"""Times the start of programs, and of their questions, beside that of a bare C program.

  process-start.py ROUNDS PROGRAM [PROGRAM ...] [-- ARGUMENT ...]

ROUNDS    how often each is run, at least 50
PROGRAM   a photospots that was built for release, or installed
ARGUMENT  what each is asked too, beside `--version`: near --index INDEX 48.85 2.29

All take turns, so that what else the machine does meets all; see Comparison/processes.py. Prints medians of the wall
time, of the processor's and of the peak memory, the least wall time, and what the medians are beyond those of the bare
program. Needs a C compiler: `cc`, or what CC names.
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
