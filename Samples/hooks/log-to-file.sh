#!/bin/sh
# Appends every notification to a file, one line of JSON each:
#   photospots watch Samples/walk.ndjson --hook Samples/hooks/log-to-file.sh
# The file is $PHOTOSPOTS_LOG_FILE, or ~/.local/state/photospots/notifications.ndjson.
set -eu

file=${PHOTOSPOTS_LOG_FILE:-${XDG_STATE_HOME:-$HOME/.local/state}/photospots/notifications.ndjson}
mkdir -p "$(dirname -- "$file")"
notification=$(cat)
printf '%s\n' "$notification" >>"$file"
