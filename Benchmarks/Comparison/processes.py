"""Measures whole processes alternately, as started by a script."""
import datetime
import json
import os
import statistics
import subprocess
import time
from collections import defaultdict
from dataclasses import dataclass

BARE = "int main(void) { return 0; }\n"

# Starts the processes instead of Python, since the peak memory reported for a process includes that
# of its parent before `exec`. Commands are separated by empty words; every other round is reversed.
STARTER = r"""
#define _GNU_SOURCE
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>

extern char **environ;

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1e3 + time.tv_nsec / 1e6;
}

static double milliseconds(struct timeval time) { return time.tv_sec * 1e3 + time.tv_usec / 1e3; }

int main(int count, char **words) {
  static char **commands[256];
  int commandCount = 0;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
  for (int word = 2; word < count; word++)
    if (words[word][0] == 0)
      words[word] = NULL;
    else if ((word == 2 || words[word - 1] == NULL) && commandCount < 256)
      commands[commandCount++] = &words[word];
  for (int round = 0; round < atoi(words[1]); round++)
    for (int turn = 0; turn < commandCount; turn++) {
      int number = round % 2 ? commandCount - 1 - turn : turn;
      struct rusage usage;
      pid_t process;
      int status;
      double start = now();
      if (posix_spawnp(&process, commands[number][0], &actions, NULL, commands[number], environ) != 0) return 2;
      if (wait4(process, &status, 0, &usage) != process) return 3;
      double wall = now() - start;
      if (status != 0) {
        fprintf(stderr, "%s %s: status %d\n", commands[number][0], commands[number][1], status);
        return 4;
      }
      printf("%d %f %f %ld\n", number, wall, milliseconds(usage.ru_utime) + milliseconds(usage.ru_stime),
             usage.ru_maxrss);
    }
  return 0;
}
"""


@dataclass
class Process:
    """Medians of a command's runs: times in milliseconds, and peak memory in MiB.

    `least` is the minimum wall time.
    """
    wall: float
    processor: float
    least: float
    peak: float


class Starter:
    """Runs commands alternately."""

    def __init__(self, folder):
        self.bare, self.program = (compiled(folder, name, source)
                                   for name, source in (("bare", BARE), ("starter", STARTER)))

    def run(self, rounds, commands):
        """Runs each command of a dictionary `rounds` times, after two warm-up rounds.

        Returns name -> ``Process``. A failed command ends the comparison.
        """
        words = [str(word) for command in commands.values() for word in [*command, ""]]
        lines = subprocess.run([self.program, str(rounds + 2), *words], check=True, stdout=subprocess.PIPE,
                               text=True).stdout.splitlines()
        samples = defaultdict(list)
        for line in lines[2 * len(commands):]:
            number, wall, processor, memory = line.split()
            samples[int(number)].append((float(wall), float(processor), int(memory) / 1024))
        found = {}
        for number, name in enumerate(commands):
            wall, processor, memory = zip(*samples[number])
            found[name] = Process(statistics.median(wall), statistics.median(processor), min(wall), statistics.median(memory))
        return found


def compiled(folder, name, source):
    """Compiles a C program and returns its path."""
    path = os.path.join(folder, name)
    with open(path + ".c", "w", encoding="utf-8") as file:
        file.write(source)
    subprocess.run([os.environ.get("CC", "cc"), "-O2", "-o", path, path + ".c"], check=True)
    return path


def watch(program, index, state, place):
    """Starts a live `watch` with one fix.

    Returns the milliseconds until its decision, and its memory in MiB: resident, and its own
    (private and modified, so not a file's).
    """
    now = datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.000Z")
    fix = json.dumps({"time": now, "latitude": place[0], "longitude": place[1], "horizontalAccuracy": 5})
    start = time.perf_counter()
    process = subprocess.Popen(
        [program, "watch", "-", "--explain", "--index", index, "--state", state],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    try:
        process.stdin.write(fix.encode() + b"\n")
        process.stdin.flush()
        process.stdout.readline()
        wall = (time.perf_counter() - start) * 1000
        # Memory used by the start is freed within moments, or never.
        time.sleep(1)
        with open(f"/proc/{process.pid}/smaps_rollup", encoding="ascii") as file:
            kibibytes = {line.split(":")[0]: int(line.split()[1]) for line in file if " kB" in line}
        return {"wall": wall, "resident": kibibytes["Rss"] / 1024,
                "own": kibibytes["Private_Dirty"] / 1024}
    finally:
        process.kill()
        process.wait()
