#!/bin/sh
# Runs tests while the machine's clock is at other days: WAITING=PATTERN sh Tests/dates.sh BUNDLE DATE...
#
# They are the tests that decide within their own process, without those that wait (WAITING); programs that tests start are
# tested on other days by ClockTests.
# The times of files and of timers stay as they are.
set -u
bundle=$1
shift
suites='(CivilTime|Encodings|Geotagging|GeoDocuments|HomeAssistant|KeptPlaces|LocationFeeds|PhotoLibrary|PhotoMetadata|SpotAlerts|SpotExport|SpotService|SpotWatcher|ThenAndNow|WatchService)Tests'
library=$(ls /usr/lib/*/faketime/libfaketime.so.1 2> /dev/null | head -n 1)
[ -n "$library" ] || { echo "Install faketime first." >&2; exit 1; }
failed=0
for date; do
  echo "== Tests at $date"
  # An offset, since a date would begin anew in each program that a test starts: a database server would seem older than the
  # program that started it and waits for it.
  offset=$(($(date -d "$date" +%s) - $(date +%s)))
  [ "$offset" -lt 0 ] || offset=+$offset
  # The library changes the environment of the first process, where Swift looks for the arguments; that process is env(1).
  LD_PRELOAD="$library" FAKETIME="$offset" FAKETIME_DONT_FAKE_MONOTONIC=1 DONT_FAKE_MONOTONIC=1 \
    NO_FAKE_STAT=1 env "$bundle" --testing-library swift-testing --filter "$suites" --skip "$WAITING" < /dev/null || failed=1
done
exit $failed
