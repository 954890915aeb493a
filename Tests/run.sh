#!/bin/sh
# Runs tests with a command, and repeats the output of failed tests at the end, since logs are often truncated to their last
# lines: WAITING=PATTERN sh Tests/run.sh swift test --skip-build
#
# Tests whose names match WAITING run one at a time after the others. All output is written to .build/tests.log.
set -u
log=.build/tests.log
status=0
mkdir -p .build
: > "$log"

# Tests send requests to this machine, which a proxy cannot forward.
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
# A message ends before the next line of Swift Testing, which begins with a symbol other than a letter, and a space. If the
# process crashed, the cause is the test that started last.
awk '
  / started\.$/ { last = $0 }
  / recorded an issue / { lines = 8 }
  /^[^ -~]+ +(Test|Suite) / && !/ recorded an issue / { lines = 0 }
  /^error: / || /Fatal error/ || /with unexpected signal/ { print substr($0, 1, 300); crashed = 1 }
  lines > 0 { print substr($0, 1, 300); lines-- }
  END { if (crashed) print "The last test that began: " last }
' "$log" | tail -n 35
exit 1
