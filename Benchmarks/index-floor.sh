#!/bin/sh
# Compares `photospots index` with the minimal system calls for the same work.
#
#   index-floor.sh PHOTOSPOTS FOLDER [ROUNDS] [JOBS]
#
# PHOTOSPOTS  the program, built for release
# FOLDER      the photos; at least 100,000 for meaningful results
# ROUNDS      the number of runs of each, at least 5 (default: 7)
# JOBS        the number of threads of both (default: 4)
#
# A full index is compared with opening, fstat, pread of 16 KiB and closing of every file, a rescan of the unchanged folder
# with fstatat of every file. Both alternate, so that other load on the machine affects both alike. A warm-up round fills
# the page cache. The times of photospots include the whole process with reading and writing its index file; those of the
# system calls exclude the start of the process. If GNU time is installed, it measures the peak memory of photospots.
set -eu

[ $# -ge 2 ] || { sed -n '2,9s/^# \{0,1\}//p' "$0" >&2; exit 64; }
photospots=$1
folder=$2
rounds=${3:-7}
jobs=${4:-4}
[ -x "$photospots" ] || { echo "index-floor: $photospots is no program" >&2; exit 64; }
[ -d "$folder" ] || { echo "index-floor: $folder is no folder" >&2; exit 64; }
[ "$rounds" -ge 5 ] || { echo "index-floor: fewer than 5 rounds say nothing" >&2; exit 64; }

work=$(mktemp -d "${TMPDIR:-/tmp}/photospots-floor.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
cc -O2 -pthread -o "$work/floor" "$(dirname "$0")/Floor/floor.c"

# Appends "seconds KiB" of a run of photospots to a file. The remaining arguments are those of `index`. The time is taken
# with date, which has nanoseconds in GNU's version.
photospots() {
  into=$1
  shift
  start=$(date +%s%N)
  if [ -x /usr/bin/time ]; then
    /usr/bin/time -f %M -o "$work/memory" \
      "$photospots" index --index "$work/index.json" --jobs "$jobs" "$@" "$folder" \
      >"$work/summary" 2>"$work/errors" || [ $? -eq 2 ] || { cat "$work/errors" >&2; exit 1; }
  else
    echo 0 >"$work/memory"
    "$photospots" index --index "$work/index.json" --jobs "$jobs" "$@" "$folder" \
      >"$work/summary" 2>"$work/errors" || [ $? -eq 2 ] || { cat "$work/errors" >&2; exit 1; }
  fi
  end=$(date +%s%N)
  echo "$start $end $(tail -n 1 "$work/memory")" |
    awk '{ printf "%.4f %d\n", ($2 - $1) / 1e9, $3 }' >>"$work/$into"
}

# Appends "seconds KiB" of a run of the minimal system calls to a file.
floor() {
  "$work/floor" "$1" "$jobs" "$folder" | tee "$work/last" | awk '{ print $2, $3 }' >>"$work/floor-$1"
}

round=0
while [ "$round" -le "$rounds" ]; do
  [ "$round" -ne 1 ] || (cd "$work" && rm -f full rescan floor-read floor-stat)
  rm -f "$work/index.json"
  # They take turns in going first.
  if [ $((round % 2)) -eq 0 ]; then
    photospots full; floor read
    photospots rescan; floor stat
  else
    floor read; photospots full
    floor stat; photospots rescan
  fi
  round=$((round + 1))
done

files=$(awk '{ print $1 }' "$work/last")

# Prints the median of a column of a file.
median() {
  awk -v column="$2" '{ print $column }' "$work/$1" | sort -n |
    awk '{ value[NR] = $1 } END { print (value[int((NR + 1) / 2)] + value[int(NR / 2) + 1]) / 2 }'
}

row() {
  awk -v name="$1" -v files="$files" -v seconds="$(median "$2" 1)" -v memory="$(median "$2" 2)" \
    -v floor="$(median "$3" 1)" 'BEGIN {
      printf "%-22s %8.3f s %10.0f files/s %8.1f MiB", name, seconds, files / seconds, memory / 1024
      printf floor == seconds ? "\n" : "   %.2f of the floor\n", floor / seconds
    }'
}

echo "$files files, $jobs threads, $rounds rounds, medians; index file $(wc -c <"$work/index.json") bytes"
row "full index" full floor-read
row "  floor: read" floor-read floor-read
row "rescan" rescan floor-stat
row "  floor: fstatat" floor-stat floor-stat
