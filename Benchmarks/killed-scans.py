#!/usr/bin/env python3
"""Kills first scans by SIGKILL at random times, and counts the files that are read again.

    killed-scans.py PROGRAM FOLDER [--kills 10] [--interval 20] [--jobs 1] [--seed 1]

For each kill, a scan into a new index is started and killed at a random time within the duration of
a complete scan. Then a second scan runs to its end, and reports the number of files that it read.
The cost of a kill is

    files read again = files read by both - files in the folder

The number of files read by the first scan is in its last line of progress, which it shows because
its standard error is a terminal here. A scan of files in the page cache takes less than the 20
seconds between two checkpoints. So read slowly (--jobs 1, or --delay, which delays the program's
file access by strace), or set a shorter --interval (the program's hidden option
--checkpoint-interval).
"""

import argparse
import json
import os
import pty
import random
import re
import shutil
import signal
import subprocess
import tempfile
import threading
import time


def scan(program, folder, index, arguments, kill_after=None, wrapper=()):
    """Runs a scan; returns its output, the number of files in its progress, and its seconds."""
    controller, terminal = pty.openpty()
    progress = bytearray()

    def collect():
        while True:
            try:
                part = os.read(controller, 65536)
            except OSError:
                return
            if not part:
                return
            progress.extend(part)
            del progress[:-65536]

    start = time.monotonic()
    process = subprocess.Popen(
        [*wrapper, program, "index", folder, "--index", index, "--json", *arguments],
        stdout=subprocess.PIPE, stderr=terminal, start_new_session=True)
    os.close(terminal)
    reader = threading.Thread(target=collect)
    reader.start()
    if kill_after is not None:
        try:
            process.wait(kill_after)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
    output = process.communicate()[0]
    seconds = time.monotonic() - start
    reader.join()
    os.close(controller)
    # There is no progress if the process ended within the monitor's first 100 ms.
    counts = re.findall(rb"(\d+) of \d+ files read", bytes(progress))
    return output, int(counts[-1]) if counts else 0, seconds


def say(text):
    print(text, flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("program")
    parser.add_argument("folder")
    parser.add_argument("--kills", type=int, default=10)
    parser.add_argument("--interval", type=float, default=20, help="seconds between two checkpoints")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--delay", type=int, help="microseconds that each read takes longer (strace)")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    options = ["--jobs", str(arguments.jobs), "--checkpoint-interval", f"{arguments.interval}s"]
    wrapper = []
    if arguments.delay:
        wrapper = ["strace", "-f", "-qq", "-o", "/dev/null", "-e", "trace=pread64",
                   "-e", f"inject=pread64:delay_enter={arguments.delay}"]
    generator = random.Random(arguments.seed)
    folder = tempfile.mkdtemp(prefix="killed-scans-")
    try:
        index = os.path.join(folder, "index.json")
        output, _, whole = scan(arguments.program, arguments.folder, index, options, wrapper=wrapper)
        total = json.loads(output)["filesRead"]
        say(f"{total} files, {whole:.1f} s, {total / whole:.0f} files/s, a checkpoint each "
              f"{arguments.interval:g} s")
        again = []
        for number in range(arguments.kills):
            for name in os.listdir(folder):
                os.remove(os.path.join(folder, name))
            moment = generator.uniform(0.02, 0.98) * whole
            output, first, _ = scan(
                arguments.program, arguments.folder, index, options, moment, wrapper)
            if output:
                say(f"kill {number + 1}: at {moment:.1f} s the scan was done already")
                continue
            output, _, _ = scan(arguments.program, arguments.folder, index, ["--jobs", "4"])
            second = json.loads(output)["filesRead"]
            again.append(max(0, first + second - total))
            say(f"kill {number + 1}: at {moment:.1f} s {first} files were read; then {second}, "
                  f"{again[-1]} of them again ({again[-1] * whole / total:.1f} s of reading)")
        again.sort()
        if again:
            say(f"read again: median {again[len(again) // 2]}, most {again[-1]} of {total} files, "
                  f"{again[-1] * whole / total:.1f} s of reading")
    finally:
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()
