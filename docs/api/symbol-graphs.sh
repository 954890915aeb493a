#!/bin/sh
# Extracts the symbol graphs of the library products from a debug build: symbol-graphs.sh SWIFT FOLDER.
# They take seconds, while 'swift package dump-symbol-graph' builds all targets first.
set -eu
swift=$1 to=$2
build=$($swift build --show-bin-path)
triple=$($swift -print-target-info | sed -n 's/.*"unversionedTriple": "\(.*\)".*/\1/p' | head -n 1)
set -- -I "$build/Modules"
for map in Sources/*/*/module.modulemap Sources/*/*/include/module.modulemap "$build"/*/module.modulemap \
  .build/checkouts/*/Sources/*/module.modulemap .build/checkouts/*/Sources/*/include/module.modulemap
do
  test ! -f "$map" || set -- "$@" -Xcc "-fmodule-map-file=$map"
done
rm -rf "$to"
for module in $(sed -n 's/^    \.library(name: "\([A-Za-z]*\)".*/\1/p' Package.swift); do
  mkdir -p "$to/$module"
  $swift symbolgraph-extract -module-name "$module" -target "$triple" "$@" \
    -minimum-access-level public -skip-synthesized-members -output-dir "$to/$module"
done
