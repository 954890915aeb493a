#!/bin/sh
# Runs tests with a command, and repeats the output of failed tests at the end, since logs are often truncated to their last
# lines: WAITING=PATTERN BUNDLE=FILE sh Tests/run.sh swift test --skip-build
#
# Tests whose names match WAITING wait for processes, sockets and files. They run one at a time, in several processes beside
# two that run all other tests in parallel; in a single one, tests that wait for the disk would leave a processor idle.
# BUNDLE is the program with the tests; the command would run only one process at a time. Where it cannot be run directly
# (macOS), the waiting tests follow the others. All output is written to .build/tests.log.
set -u
log=.build/tests.log
mkdir -p .build
rm -f .build/tests.*.log .build/tests.*.status
: > "$log"

# Tests send requests to this machine, which a proxy cannot forward.
unset http_proxy https_proxy all_proxy HTTP_PROXY HTTPS_PROXY ALL_PROXY

# Swift Testing writes colors to a pipe, which the search for failures below does not expect.
export NO_COLOR=1

# Shares of the waiting tests with about the same time each. The last of them has all tests that no other share has.
stores='CommandTests\.(Store|Rival|Kill)'
servers='FeedServerTests\.|WebServiceTests\.'
commands='CommandTests\.'
# About half of the tests that compute.
libraries='(PhotoLibrary|SpotAlerts)Tests\.'

# Runs a command as the part of the tests with a name.
part() {
  name=$1
  shift
  echo 1 > ".build/tests.$name.status"
  echo "== Tests: $name"
  "$@" < /dev/null 2>&1
  code=$?
  [ "$code" != 69 ] || echo "error: no test matches"
  [ "$code" -lt 128 ] || echo "error: the tests ended with signal $((code - 128))"
  echo "$code" > ".build/tests.$name.status"
}

if [ -z "${WAITING:-}" ]; then
  part all "$@" | tee "$log"
elif [ -f "${BUNDLE:-}" ] && [ -x "$BUNDLE" ]; then
  set -- "$BUNDLE" --testing-library swift-testing
  # The commands of a pipeline run at once, and unlike those begun by '&' do not ignore SIGINT, which tests send.
  share() {
    name=$1 filter=$2 others=$3
    shift 3
    part "$name" "$@" --filter "$filter" --skip "$others" > ".build/tests.$name.log"
  }
  waiting() { share "$@" --no-parallel; }
  waiting stores "$stores" '^$' "$@" |
    waiting servers "$servers" '^$' "$@" |
    waiting commands-to-O "$commands[A-O]" "$stores" "$@" |
    waiting commands-to-R "$commands[PQR]" "$stores" "$@" |
    waiting commands-to-Z "$commands" "$stores|$commands[A-R]" "$@" |
    waiting others "$WAITING" "$stores|$servers|$commands" "$@" |
    share libraries "$libraries" "$WAITING" nice -n 5 "$@" |
    part computing nice -n 5 "$@" --skip "$WAITING|$libraries" | tee "$log"
  for name in stores servers commands-to-O commands-to-R commands-to-Z others libraries; do
    tee -a "$log" < ".build/tests.$name.log"
    rm ".build/tests.$name.log"
  done
else
  part computing "$@" --skip "$WAITING" | tee "$log"
  part waiting "$@" --no-parallel --filter "$WAITING" | tee -a "$log"
fi
[ "$(cat .build/tests.*.status | sort -u)" != 0 ] || exit 0

echo
echo "== What failed; the whole log is $log"
# A message ends before the next line of Swift Testing, which begins with a symbol other than a letter, and a space. If the
# process crashed, the cause is the test that started last.
awk '
  function end() { if (crashed) print "The last test that began: " substr(last, 1, 300); crashed = 0; last = "" }
  /^== Tests: / { end(); lines = 0 }
  / started\.$/ { last = $0 }
  / recorded an issue / { lines = 8 }
  /^[^ -~]+ +(Test|Suite) / && !/ recorded an issue / { lines = 0 }
  /^error: / || /Fatal error/ || /with unexpected signal/ { print substr($0, 1, 300); crashed = 1 }
  lines > 0 { print substr($0, 1, 300); lines-- }
  END { end() }
' "$log" | tail -n 35
exit 1
