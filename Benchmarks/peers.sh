#!/bin/sh
# Compares PhotoSpots with other programs and libraries, checks that the answers agree, and writes RESULTS.md with a
# diagram, growth.png. `make bench-peers` in the root does the same.
#
#   ROUNDS  the number of runs of each measurement, 5
#   SIZE    the number of points and photos in most comparisons, 1M
#   FILES   the number of photo files that are generated and indexed, 100k
#   GROWTH  the sizes in the diagram, 10k,100k,1M,10M
#   LARGE   the number of photos in the stage `large`, 10M
#   STAGES  the stages to run: start,questions,library,indexing,spatial,clustering,watching,large,growth
#   PROGRAM an installed photospots, which starts faster than the release build used by default
#   RESULTS the output file, RESULTS.md in this folder
#   POINTS, QUERIES  own files of SIZE points and of queries: rows of three float64 numbers
#
# A quick run: ROUNDS=1 SIZE=100k FILES=2k GROWTH=10k,100k RESULTS=/tmp/results.md Benchmarks/peers.sh
# Missing peers are installed, from Debian system-wide, from PyPI into .build/peers. Generated files are
# removed at the end. After building, a full run takes half an hour and 9 GB of $TMPDIR.
set -eu
cd "$(dirname "$0")"
built=$PWD/.build/peers
mkdir -p "$built"

missing=
for package in exif exiv2 libimage-exiftool-perl libnanoflann-dev libboost-dev libs2-dev libsimdjson-dev \
  sqlite3 redis-server time g++ python3-venv; do
  dpkg-query -W -f '${Status}' "$package" 2> /dev/null | grep -q 'ok installed' || missing="$missing $package"
done
if [ -n "$missing" ]; then
  echo "installing$missing" >&2
  as=
  [ "$(id -u)" = 0 ] || as=sudo
  $as apt-get update -qq
  # The server is started for a comparison only, not at boot.
  $as env DEBIAN_FRONTEND=noninteractive RUNLEVEL=1 apt-get install -y -qq $missing >&2
fi

# pysupercluster is built with the versions that were current when it was released.
python=$built/venv/bin/python
if ! "$python" -c 'import matplotlib, pysupercluster, scipy' 2> /dev/null; then
  rm -rf "$built/venv"
  python3 -m venv "$built/venv"
  "$python" -m pip install --quiet 'numpy<2' scipy matplotlib pybind11 'setuptools<66' wheel >&2
  "$python" -m pip install --quiet --no-build-isolation pysupercluster >&2
fi

for source in Peers/*.cpp; do
  peer=$(basename "$source" .cpp)
  libraries=
  case $peer in s2) libraries=-ls2 ;; simdjson) libraries=-lsimdjson ;; esac
  [ "$built/$peer" -nt "$source" ] && [ "$built/$peer" -nt Peers/peer.hpp ] && [ "$built/$peer" -nt Peers/tree.hpp ] ||
    g++ -O3 -march=native -std=c++17 -o "$built/$peer" "$source" $libraries
done
cc -O2 -pthread -o "$built/floor" Floor/floor.c

if [ -n "${PROGRAM:-}" ]; then
  PEERS_PHOTOSPOTS=$PROGRAM PEERS_KIND='as make install links it'
else
  swift build --package-path .. --configuration release --product photospots >&2
  PEERS_PHOTOSPOTS=$(swift build --package-path .. --configuration release --show-bin-path)/photospots
  PEERS_KIND='the release build'
fi
for product in spatial-peer library-peer watcher-peer; do
  swift build --configuration release --product "$product" >&2
done
PEERS_SWIFT=$(swift build --configuration release --show-bin-path)
PEERS_BUILT=$built
export PEERS_PHOTOSPOTS PEERS_KIND PEERS_SWIFT PEERS_BUILT
PYTHONDONTWRITEBYTECODE=1 exec "$python" Comparison/compare.py
