#!/usr/bin/env python3
"""Times the start of a program beside that of a bare C program.

  process-start.py ROUNDS PROGRAM [PROGRAM ...]

ROUNDS   how often each is run, at least 50
PROGRAM  a photospots that was built for release, run as `photospots --version`

The C program has an empty `main`. All take turns, so that what else the machine does meets all. They are started by a
small C program that both measures and waits, since the peak memory that the system tells of a process includes that of
its parent before `exec`: Python's own. Prints medians of the wall time and of the processor's, the least wall time, the
greatest peak memory and what the medians are beyond those of the bare program. Needs a C compiler: `cc`, or what CC
names.
"""
import os
import statistics
import subprocess
import sys
import tempfile

BARE = "int main(void) { return 0; }\n"

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

static double seconds(struct timeval time) { return time.tv_sec * 1e3 + time.tv_usec / 1e3; }

int main(int count, char **words) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
  for (int round = 0; round < atoi(words[1]); round++)
    for (int number = 2; number < count; number++) {
      char *arguments[] = {words[number], "--version", NULL};
      struct rusage usage;
      pid_t process;
      int status;
      double start = now();
      if (posix_spawn(&process, words[number], &actions, NULL, arguments, environ) != 0) return 2;
      if (wait4(process, &status, 0, &usage) != process || status != 0) return 3;
      printf("%d %f %f %ld\n", number - 2, now() - start, seconds(usage.ru_utime) + seconds(usage.ru_stime),
             usage.ru_maxrss);
    }
  return 0;
}
"""


def compiled(folder, name, source):
    """Compiles a C program and returns its path."""
    path = os.path.join(folder, name)
    with open(path + ".c", "w", encoding="utf-8") as file:
        file.write(source)
    subprocess.run([os.environ.get("CC", "cc"), "-O2", "-o", path, path + ".c"], check=True)
    return path


def main():
    if len(sys.argv) < 3 or int(sys.argv[1]) < 50:
        sys.exit(__doc__)
    rounds, programs = int(sys.argv[1]), sys.argv[2:]
    with tempfile.TemporaryDirectory() as folder:
        bare, starter = compiled(folder, "bare", BARE), compiled(folder, "starter", STARTER)
        lines = subprocess.run(
            [starter, str(rounds), bare] + programs, check=True, capture_output=True, text=True).stdout
    samples = [[] for _ in range(len(programs) + 1)]
    for line in lines.splitlines():
        number, wall, processor, memory = line.split()
        samples[int(number)].append((float(wall), float(processor), int(memory) / 1024))
    print(f"{'program':<40} {'wall ms':>8} {'least':>6} {'cpu ms':>7} {'MiB':>6} {'beyond C: ms':>13} {'MiB':>6}")
    floor = None
    for name, taken in zip(["a bare C program"] + programs, samples):
        # The first runs fill the page cache.
        wall, processor, memory = zip(*taken[5:])
        row = (statistics.median(wall), statistics.median(processor), max(memory))
        floor = floor or row
        print(f"{name[-40:]:<40} {row[0]:8.2f} {min(wall):6.2f} {row[1]:7.2f} {row[2]:6.1f} "
              f"{row[0] - floor[0]:13.2f} {row[2] - floor[2]:6.1f}")


if __name__ == "__main__":
    main()
