#!/usr/bin/env python3
"""Times `photospots near` as a whole process, and its peak memory.

  near-process.py INDEX LATITUDE LONGITUDE ROUNDS PROGRAM [PROGRAM ...]

INDEX    an index file
ROUNDS   how often each program is run, at least 10
PROGRAM  a photospots that was built for release; several take turns, so that what else the machine does meets all

Prints for each program the median and the least of the wall time and of the processor time, and the greatest
peak memory. A round before the first fills the page cache.
"""
import os
import statistics
import subprocess
import sys
import time


def run(program, index, place):
    start = time.perf_counter()
    process = subprocess.Popen(
        [program, "near", "--index", index, *place], stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    wall = time.perf_counter() - start
    if status != 0:
        sys.exit(f"near-process: {program} failed with status {status}")
    return wall * 1e3, (usage.ru_utime + usage.ru_stime) * 1e3, usage.ru_maxrss / 1024


def main():
    if len(sys.argv) < 6 or not sys.argv[4].isdigit() or int(sys.argv[4]) < 10:
        sys.exit(__doc__)
    index, place, rounds, programs = sys.argv[1], sys.argv[2:4], int(sys.argv[4]), sys.argv[5:]
    runs = {program: [] for program in programs}
    for number in range(rounds + 1):
        for program in programs:
            result = run(program, index, place)
            if number > 0:
                runs[program].append(result)
    for program in programs:
        wall, processor, memory = zip(*runs[program])
        print(
            f"{program}: wall {statistics.median(wall):.0f} (least {min(wall):.0f}) ms, "
            f"processor {statistics.median(processor):.0f} (least {min(processor):.0f}) ms, "
            f"peak {max(memory):.0f} MiB")


main()
