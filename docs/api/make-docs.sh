#!/bin/sh
# Converts the documentation catalogs: make-docs.sh SYMBOL-GRAPHS FOLDER. docc is a part of Swift's toolchain.
set -eu
docc=$(command -v docc || echo "$(dirname "$(readlink -f "$(command -v swift)")")/docc")
graphs=$1 to=$2
mkdir -p "$to"
for catalog in Sources/*/*/*.docc; do
  module=$(basename "$catalog" .docc)
  rm -rf "$to/$module.doccarchive"
  "$docc" convert "$catalog" --additional-symbol-graph-dir "$graphs/$module" \
    --fallback-display-name "$module" --fallback-bundle-identifier "photospots.$module" \
    --warnings-as-errors --output-path "$to/$module.doccarchive"
done
