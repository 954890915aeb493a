#!/bin/sh
# Posts every notification as JSON to a URL, for example a topic of an ntfy server. Requires curl:
#   PHOTOSPOTS_PUSH_URL=https://ntfy.example.org/spots \
#     photospots watch --follow gps.nmea --hook Samples/hooks/http-push.sh
# Any response other than success gives a nonzero exit status, so that PhotoSpots tries again. The notification keeps its
# id, by which a receiver can recognize duplicates.
set -eu

: "${PHOTOSPOTS_PUSH_URL:?set it to the address to post to}"
exec curl --fail --silent --show-error --max-time 20 --output /dev/null \
  --header 'Content-Type: application/json' --data-binary @- --url "$PHOTOSPOTS_PUSH_URL"
