#!/bin/sh
# Shows every notification on the desktop, with the spot's cover photo; needs notify-send (libnotify):
#   gpspipe -r | photospots watch - --hook Samples/hooks/desktop-notification.sh
set -eu

cat >/dev/null # The notification as JSON; the variables say all that is shown here.

# The body is markup to some desktops, so that & and < have to be written as entities.
body=$(printf '%s' "$PHOTOSPOTS_TEXT" | sed -e 's/&/\&amp;/g' -e 's/</\&lt;/g')
notify-send --app-name=PhotoSpots --icon="${PHOTOSPOTS_SPOT_COVER:-camera-photo}" -- \
  "$PHOTOSPOTS_TITLE" "$body"
