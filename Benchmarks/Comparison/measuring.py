"""Runs programs alternately and measures their time."""
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections import defaultdict


class Run:
    """A finished process: its wall and processor seconds, its output and its status.

    A failure ends the comparison, unless `fails` allows it; then standard error is discarded.
    """

    def __init__(self, command, fails=False, **options):
        with tempfile.TemporaryFile() as output:
            start = time.perf_counter()
            process = subprocess.Popen(
                [str(word) for word in command], stdout=output, stderr=subprocess.DEVNULL if fails else None,
                **options)
            try:
                _, status, usage = os.wait4(process.pid, 0)
            except BaseException:
                process.kill()
                raise
            self.seconds = time.perf_counter() - start
            self.processor = usage.ru_utime + usage.ru_stime
            self.status = process.returncode = os.waitstatus_to_exitcode(status)
            output.seek(0)
            self.output = output.read()
        if self.status and not fails:
            sys.exit(f"peers: {' '.join(map(str, command))} failed with status {process.returncode}")

    @property
    def text(self):
        return self.output.decode("utf-8", "surrogateescape")

    def figures(self):
        """The figures printed by a driver: one per line, as work, measure and number."""
        lines = [line.split("\t") for line in self.text.splitlines()]
        return {(line[0], line[1]): float(line[2]) for line in lines}


def peak_memory(command):
    """The peak memory of a process in MiB, measured by GNU time.

    Linux includes the memory of the process before `exec`, which is large for a child of this one.
    """
    run = subprocess.run(["/usr/bin/time", "-f", "%M", *map(str, command)], check=True, stdout=subprocess.DEVNULL,
                         stderr=subprocess.PIPE)
    return int(run.stderr.split()[-1]) / 1024


def alternate(rounds, turns, warm_up=False):
    """Calls the functions of a dictionary alternately, `rounds` times each.

    Every other round is in reversed order, so that other load affects all functions. Returns the
    median of each one's results, which are numbers or dictionaries of numbers. `warm_up` adds a
    first round that is not counted.
    """
    found = defaultdict(list)
    for number in range(-1 if warm_up else 0, rounds):
        names = list(turns) if number % 2 else list(reversed(turns))
        for name in names:
            result = turns[name]()
            if number >= 0:
                found[name].append(result)
    return {name: median(results) for name, results in found.items()}


def median(results):
    if isinstance(results[0], dict):
        return {key: statistics.median(result[key] for result in results) for key in results[0]}
    return statistics.median(results)


def note(text):
    print(f"-- {text}", file=sys.stderr, flush=True)
