#!/bin/sh
# Checks the number and size of reads of photo files against the folder Thresholds, or updates it after an intended change:
#
#   thresholds.sh check|update
#
# Unlike times, these counts are the same on every machine.
set -eu
cd "$(dirname "$0")"
case ${1:-} in
  check) option= ;;
  update) option=--allow-writing-to-package-directory ;;
  *) sed -n '2,6s/^# \{0,1\}//p' "$0" >&2; exit 64 ;;
esac
unset PHOTOSPOTS_BENCHMARK_PHOTOS
PHOTOSPOTS_BENCHMARK_FILES=1k
export PHOTOSPOTS_BENCHMARK_FILES
swift package $option benchmark thresholds "$1" --target PhotoLibraryBenchmarks \
  --filter '(Indexing: every file.*|Metadata: a photo)' --metric readSyscalls --metric readBytesLogical --no-progress
# The library writes file names with _ instead of spaces, but looks for them with spaces.
for file in Thresholds/*_*; do
  [ ! -e "$file" ] || mv "$file" "$(printf %s "$file" | tr _ ' ')"
done
