#!/bin/sh
# Shows every notification on the desktop with the spot's cover photo. Requires notify-send (libnotify):
#   gpspipe -r | photospots watch - --hook Samples/hooks/desktop-notification.sh
set -eu

cat >/dev/null # The notification as JSON; the variables say all that is shown here.

# Some desktops interpret the body as markup, so & and < must be escaped.
body=$(printf '%s' "$PHOTOSPOTS_TEXT" | sed -e 's/&/\&amp;/g' -e 's/</\&lt;/g')
notify-send --app-name=PhotoSpots --icon="${PHOTOSPOTS_SPOT_COVER:-camera-photo}" -- \
  "$PHOTOSPOTS_TITLE" "$body"
