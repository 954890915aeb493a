#!/bin/sh
# Searches for inputs that break what a reader promises: TARGET=png RUNS=1000000 sh Tests/Fuzzer/fuzz.sh; without
# a target, all of them in turn. Inputs that led anywhere new are kept and serve the next time. One that breaks
# a promise ends the run with its reason, and stays where the last lines say.
set -eu
program=.build/fuzzer/release/fuzzer
export SWIFT_BACKTRACE=enable=no
# A temporary file is written for many inputs, which should not wear out a disk.
test ! -w /dev/shm || export TMPDIR=/dev/shm
export ASAN_OPTIONS=quarantine_size_mb=4:malloc_context_size=4:max_malloc_fill_size=0

for target in ${TARGET:-$("$program")}; do
  folder=.build/fuzzer/inputs/$target
  mkdir -p "$folder/seeds" "$folder/corpus" "$folder/found"
  echo "== $target"
  # Inputs grow to the length of the longest seed, 40 KB, which justifies no allocation of 2 MiB; but a picture's rows are as
  # long as it says, and it is granted 64 MiB in all.
  limit=2
  [ "$target" != thumbnail ] || limit=64
  FUZZ_TARGET=$target FUZZ_SEEDS=$folder/seeds "$program" "$folder/corpus" "$folder/seeds" \
    -runs="${RUNS:-1000000}" -timeout=60 -malloc_limit_mb=$limit -rss_limit_mb=512 \
    -artifact_prefix="$folder/found/" 2> "$folder/log" || {
    grep -a -A 20 -E "Fatal error|ERROR" "$folder/log" >&2
    tail -n 4 "$folder/log" >&2
    exit 1
  }
  grep -a -E "^#[0-9]+.DONE" "$folder/log"
done
