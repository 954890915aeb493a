"""Runs programs in turns and takes the time."""
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections import defaultdict


class Run:
    """A process that has ended: its seconds by the clock, of the processor, its output and status. One that fails ends
    the comparison, unless it may, and then what it says of it is not shown."""

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
        """The figures of a driver, a line each: work, measure, number."""
        lines = [line.split("\t") for line in self.text.splitlines()]
        return {(line[0], line[1]): float(line[2]) for line in lines}


def peak_memory(command):
    """The peak memory of a process in MiB, by GNU time: Linux counts what a process was before it became the program
    too, and this one is large."""
    run = subprocess.run(["/usr/bin/time", "-f", "%M", *map(str, command)], check=True, stdout=subprocess.DEVNULL,
                         stderr=subprocess.PIPE)
    return int(run.stderr.split()[-1]) / 1024


def alternate(rounds, turns, warm_up=False):
    """Calls each function of a dictionary `rounds` times, in turns, the order reversed every other round, so that
    what else the machine does meets all. Returns the median of what each one returned, numbers or dictionaries of
    numbers; with `warm_up` there is a round before that does not count."""
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
