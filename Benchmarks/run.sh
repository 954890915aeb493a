#!/bin/sh
# Runs the benchmarks, prints a table for each module, and writes the figures as JSON.
#
#   run.sh [SIZES] [FILTER]
#
# SIZES   numbers of photos, 10k,100k where not given or empty
# FILTER  a regular expression that the benchmarks' names must match
#
# PHOTOSPOTS_BENCHMARK_FILES sets how many files are indexed, 10k where not set.
set -eu
cd "$(dirname "$0")"

PHOTOSPOTS_BENCHMARK_SIZES=${1:-${PHOTOSPOTS_BENCHMARK_SIZES:-10k,100k}}
export PHOTOSPOTS_BENCHMARK_SIZES
filter=${2:-.*}
results=.build/results
mkdir -p "$results"

# What an interrupted benchmark leaves behind is removed with this folder.
scratch=$(mktemp -d "${TMPDIR:-/tmp}/photospots-bench.XXXXXX")
trap 'rm -rf "$scratch"' EXIT
trap 'exit 130' INT TERM
TMPDIR=$scratch
export TMPDIR

benchmark() {
  swift package --allow-writing-to-package-directory benchmark "$@"
}

# Run once; the table and the JSON are two views of what was measured. The JSON needs every benchmark to
# measure its throughput.
echo "Building and measuring; this takes some minutes."
rm -rf .benchmarkBaselines/*/latest
benchmark baseline update latest --filter "$filter" --no-progress --quiet
benchmark baseline read latest --grouping metric
benchmark baseline read latest --format jmh --path "$results" --quiet
echo "JSON: $(pwd)/$results"
