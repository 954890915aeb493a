#!/bin/sh
# Runs the benchmarks, prints a table for each module, and writes the figures as JSON.
#
#   run.sh [SIZES] [FILTER]
#
# SIZES   the numbers of photos (default: 10k,100k)
# FILTER  a regular expression for the names of benchmarks
#
# PHOTOSPOTS_BENCHMARK_FILES is the number of files to index (default: 10k).
set -eu
cd "$(dirname "$0")"

PHOTOSPOTS_BENCHMARK_SIZES=${1:-${PHOTOSPOTS_BENCHMARK_SIZES:-10k,100k}}
export PHOTOSPOTS_BENCHMARK_SIZES
filter=${2:-.*}
results=.build/results
mkdir -p "$results"

# Files that an interrupted benchmark leaves behind are removed with this folder.
scratch=$(mktemp -d "${TMPDIR:-/tmp}/photospots-bench.XXXXXX")
trap 'rm -rf "$scratch"' EXIT
trap 'exit 130' INT TERM
TMPDIR=$scratch
export TMPDIR

benchmark() {
  swift package --allow-writing-to-package-directory benchmark "$@"
}

# The benchmarks run once; the table and the JSON are two outputs of the same results. The JSON requires every benchmark to
# measure its throughput.
echo "Building and measuring; this takes some minutes."
rm -rf .benchmarkBaselines/*/latest
benchmark baseline update latest --filter "$filter" --no-progress --quiet
benchmark baseline read latest --grouping metric
benchmark baseline read latest --format jmh --path "$results" --quiet
echo "JSON: $(pwd)/$results"
