#!/bin/sh
# Runs the tests by a command, and repeats at the very end what those said that failed, since a log is often cut to its
# last lines: WAITING=PATTERN sh Tests/run.sh swift test --skip-build
#
# Tests whose names match WAITING run after the others, and one at a time. All that is printed is in .build/tests.log.
set -u
log=.build/tests.log
status=0
mkdir -p .build
: > "$log"

# Tests send requests to this machine, which no proxy can do for them.
unset http_proxy https_proxy all_proxy HTTP_PROXY HTTPS_PROXY ALL_PROXY

run() {
  { "$@" 2>&1; echo $? > "$log.status"; } | tee -a "$log"
  [ "$(cat "$log.status")" = 0 ] || status=1
  rm "$log.status"
}

if [ -n "${WAITING:-}" ]; then
  run "$@" --skip "$WAITING"
  run "$@" --no-parallel --filter "$WAITING"
else
  run "$@"
fi
[ "$status" != 0 ] || exit 0

echo
echo "== What failed; the whole log is $log"
# A message goes on until a line begins as one of Swift Testing's does: with a sign that is no letter, and a space.
# Where the process ended, what it was at is the test that began last.
awk '
  / started\.$/ { last = $0 }
  / recorded an issue / { lines = 8 }
  /^[^ -~]+ +(Test|Suite) / && !/ recorded an issue / { lines = 0 }
  /^error: / || /Fatal error/ || /with unexpected signal/ { print substr($0, 1, 300); crashed = 1 }
  lines > 0 { print substr($0, 1, 300); lines-- }
  END { if (crashed) print "The last test that began: " last }
' "$log" | tail -n 35
exit 1
