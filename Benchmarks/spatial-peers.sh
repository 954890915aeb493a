#!/usr/bin/env bash
# Measures the spatial index beside nanoflann, Boost's R-tree and S2 on the same files, and holds every answer
# to theirs: spatial-peers.sh [COUNT] [ROUNDS], or spatial-peers.sh POINTS QUERIES [ROUNDS] with files of one's
# own (three doubles a row: latitude, longitude, and the number of a point or the kind of a query).
# On Debian: apt-get install g++ libnanoflann-dev libboost-dev libs2-dev
set -euo pipefail
cd "$(dirname "$0")"
folder=.build/spatial-peers
mkdir -p "$folder"
swift build --configuration release --product spatial-peer >&2
ours="$(swift build --configuration release --show-bin-path)/spatial-peer"
for peer in nanoflann boost s2; do
  test "$folder/$peer" -nt "Peers/$peer.cpp" ||
    g++ -O3 -march=native -std=c++17 -o "$folder/$peer" "Peers/$peer.cpp" Peers/CHeap/CHeap.c \
      $(test $peer != s2 || echo -ls2) >&2
done
if [ -f "${1:-}" ]; then
  points=$1 queries=$2 rounds=${3:-5}
else
  points=$folder/points.f64 queries=$folder/queries.f64 rounds=${2:-5}
  "$ours" generate "${1:-1000000}" "$points" "$queries"
fi

: > "$folder/figures"
for round in $(seq "$rounds"); do
  for program in photospots nanoflann boost s2; do
    if [ $program = photospots ]; then
      "$ours" measure "$points" "$queries" "$folder/$program.answers"
    else
      "$folder/$program" "$points" "$queries" "$folder/$program.answers"
    fi | sed "s/^/$program\t/" >> "$folder/figures"
  done
  echo "round $round of $rounds" >&2
done

# Medians, and how many times as much as nanoflann's ours are.
sort -t '	' -k 2,3 -k 1,1 -k 4,4g "$folder/figures" | awk -F '\t' -v rounds="$rounds" '
  { key = $2 " | " $3; if (!(key in seen)) { seen[key]; order[++n] = key }
    if (++count[key, $1] == int((rounds + 1) / 2)) median[key, $1] = $4 }
  END {
    split("nanoflann boost s2", peers, " ")
    print "| work | measure | photospots | nanoflann | boost | s2 | of nanoflann | of boost | of s2 |"
    print "| --- | --- | --- | --- | --- | --- | --- | --- | --- |"
    for (i = 1; i <= n; i++) {
      key = order[i]; ours = median[key, "photospots"]
      printf "| %s | %s |", key, ours
      for (j = 1; j <= 3; j++) printf " %s |", median[key, peers[j]]
      for (j = 1; j <= 3; j++) printf " %.2f |", ours / median[key, peers[j]]
      print ""
    }
  }'

# Distances are summed in each program's own order, and a peer's formula differs from ours by its rounding.
differing=0
for peer in nanoflann boost s2; do
  awk -F '\t' -v peer=$peer '
    NR == FNR { hits[$1, $2] = $3; ids[$1, $2] = $4; meters[$1, $2] = $5; next }
    { off = meters[$1, $2] - $5; if (off < 0) off = -off; answers++
      if (hits[$1, $2] != $3 || ids[$1, $2] != $4 || off > 1e-6 * $3 + 1e-12 * $5 + 2e-6) bad++ }
    END { print peer ": " answers " answers, " bad + 0 " differ from ours"; exit bad > 0 }
  ' "$folder/photospots.answers" "$folder/$peer.answers" || differing=1
done
exit $differing
