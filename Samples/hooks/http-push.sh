#!/bin/sh
# Posts every notification as JSON to a web address, a topic of an ntfy server say; needs curl:
#   PHOTOSPOTS_PUSH_URL=https://ntfy.example.org/spots \
#     photospots watch --follow gps.nmea --hook Samples/hooks/http-push.sh
# Any answer but success ends with a status other than 0, so that PhotoSpots tries again; the
# notification keeps its id, by which a receiver can tell that it has it already.
set -eu

: "${PHOTOSPOTS_PUSH_URL:?set it to the address to post to}"
exec curl --fail --silent --show-error --max-time 20 --output /dev/null \
  --header 'Content-Type: application/json' --data-binary @- --url "$PHOTOSPOTS_PUSH_URL"
