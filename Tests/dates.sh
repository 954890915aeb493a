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

# Removes what the library left of processes that ended without removing it. A database server, which runs as another user,
# would not start if its process had the number of one of them.
clean() {
  for object in /dev/shm/faketime_shm_*; do
    process=${object##*_}
    [ -e "/proc/$process" ] || rm -f "$object" "/dev/shm/sem.faketime_sem_$process"
  done
}

for date; do
  echo "== Tests at $date"
  clean
  # The library changes the environment of the first process, where Swift looks for the arguments; that process is env(1).
  LD_PRELOAD="$library" FAKETIME="@$(echo "$date" | tr T ' ')" FAKETIME_DONT_FAKE_MONOTONIC=1 DONT_FAKE_MONOTONIC=1 \
    NO_FAKE_STAT=1 env "$bundle" --testing-library swift-testing --filter "$suites" --skip "$WAITING" < /dev/null || failed=1
done
clean
exit $failed
