#!/bin/sh
# Searches for inputs that violate a parser's invariants: TARGET=png RUNS=1000000 sh Tests/Fuzzing/Fuzzer/fuzz.sh. Without a target
# it runs all of them one after the other. Inputs that reach new code are kept for the next run. An input that violates an
# invariant ends the run with the reason; the last lines name its file.
set -eu
program=.build/fuzzer/release/fuzzer
export SWIFT_BACKTRACE=enable=no
# Many inputs are written to a temporary file, which should not wear out a disk.
test ! -w /dev/shm || export TMPDIR=/dev/shm
export ASAN_OPTIONS=quarantine_size_mb=4:malloc_context_size=4:max_malloc_fill_size=0

for target in ${TARGET:-$("$program")}; do
  folder=.build/fuzzer/inputs/$target
  mkdir -p "$folder/seeds" "$folder/corpus" "$folder/found"
  echo "== $target"
  # Inputs are up to as long as the longest seed, 40 KB, for which an allocation of 2 MiB is unjustified. The rows of a
  # picture have the length that it states, so its limit is 64 MiB in total. SQLite makes a list of the overflow pages that a
  # row states, whatever the size of the file (accessPayload): 8 bytes for each 508 of at most 4 GiB.
  case $target in
    thumbnail) limit=64 ;;
    photo-database) limit=65 ;;
    *) limit=2 ;;
  esac
  FUZZ_TARGET=$target FUZZ_SEEDS=$folder/seeds "$program" "$folder/corpus" "$folder/seeds" \
    -runs="${RUNS:-1000000}" -timeout=60 -malloc_limit_mb=$limit -rss_limit_mb=512 \
    -artifact_prefix="$folder/found/" 2> "$folder/log" || {
    grep -a -A 20 -E "Fatal error|ERROR" "$folder/log" >&2
    tail -n 4 "$folder/log" >&2
    exit 1
  }
  grep -a -E "^#[0-9]+.DONE" "$folder/log"
done
