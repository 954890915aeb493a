#!/bin/sh
# Runs tests with a command, and repeats the output of failed tests at the end, since logs are often truncated to their last
# lines: WAITING=PATTERN BUNDLE=FILE sh Tests/run.sh swift test --skip-build
#
# Tests whose names match WAITING wait for processes, sockets and files. They run one at a time, in two processes beside
# one that runs all other tests in parallel. More processes would only take the processors from each other. BUNDLE is the
# program with the tests; the command would run only one process at a time. Where it cannot be run directly (macOS), the
# waiting tests follow the others. All output is written to .build/tests.log.
#
# Tests of a BUNDLE that fail run again alone: those that pass then are reported as flaky, and are no failure.
set -u
log=.build/tests.log
results=.build/results/swift
rm -rf "$results"
mkdir -p "$results"
: > "$log"

# Tests send requests to this machine, which a proxy cannot forward.
unset http_proxy https_proxy all_proxy HTTP_PROXY HTTPS_PROXY ALL_PROXY

# About half of the waiting tests.
commands='^CommandTests\.(?!Store|Rival|Kill|Pairs|Share|Readme|Places)'
# A test that hangs must not hang all, and more failures than these are no accident.
lane_seconds=3600 test_seconds=300 most_again=8

# Runs a command as the part of the tests with a name.
part() {
  name=$1
  shift
  echo "== Tests: $name"
  echo 1 > "$results/$name.status"
  "$@" < /dev/null 2>&1
  code=$?
  [ "$code" != 69 ] || echo "error: no test matches"
  [ "$code" != 124 ] || echo "error: the tests did not end in time"
  [ "$code" -lt 128 ] || echo "error: the tests ended with signal $((code - 128))"
  echo "$code" > "$results/$name.status"
}

# Runs tests of the bundle as a part, for at most some seconds, and records their events.
bundle() {
  name=$1 seconds=$2
  shift 2
  part "$name" nice -n "$niceness" timeout --foreground --kill-after=10 "$seconds" "$BUNDLE" \
    --testing-library swift-testing --event-stream-output-path "$results/$name.jsonl" --event-stream-version 0 "$@"
}

# Runs a share of the tests; the options are for tests that can run in parallel.
share() {
  name=$1
  shift
  niceness=0
  case $name in
    commands) set -- --no-parallel --filter "$commands" ;;
    others) set -- --no-parallel --filter "$WAITING" --skip "$commands" ;;
    computing) niceness=10; set -- "$@" --skip "$WAITING" ;;
  esac
  bundle "$name" $lane_seconds "$@" > "$results/$name.log"
}

status() { cat "$results/$1.status"; }

isFailed=0
if [ -z "${WAITING:-}" ]; then
  part all "$@" | tee "$log"
  [ "$(status all)" = 0 ] || isFailed=1
elif ! { [ -f "${BUNDLE:-}" ] && [ -x "$BUNDLE" ]; }; then
  part computing "$@" --skip "$WAITING" | tee "$log"
  part waiting "$@" --no-parallel --filter "$WAITING" | tee -a "$log"
  [ "$(status computing)$(status waiting)" = 00 ] || isFailed=1
else
  # The commands of a pipeline run at once, and unlike those begun by '&' do not ignore SIGINT, which tests send.
  share commands | share others | share computing --experimental-maximum-parallelization-width 4
  for name in commands others computing; do
    tee -a "$log" < "$results/$name.log"
    # A process that crashed or hung did not run all of its tests. One at a time, they show which one it is.
    if [ "$(status $name)" -ge 124 ]; then
      mv "$results/$name.jsonl" "$results/$name.crashed"
      share "$name" --no-parallel
      tee -a "$log" < "$results/$name.log"
    fi
    [ "$(status $name)" -lt 124 ] || isFailed=1
  done
  python3 Tests/results.py again "$results"/*.jsonl > "$results/again"
  count=$(wc -l < "$results/again")
  if [ "$count" -gt $most_again ]; then
    isFailed=1
  elif [ "$count" = 0 ]; then
    [ "$(cat "$results"/*.status | sort -u)" = 0 ] || isFailed=1
  else
    number=0 niceness=0
    while read -r test; do
      number=$((number + 1))
      bundle "again-$number" $test_seconds --no-parallel --filter "$test" > "$results/again-$number.log"
      tee -a "$log" < "$results/again-$number.log"
      [ "$(status again-$number)" = 0 ] || isFailed=1
    done < "$results/again"
  fi
fi
[ $isFailed = 1 ] || exit 0

echo
echo "== What failed; the whole log is $log"
# A message ends before the next line of Swift Testing, which begins with a symbol other than a letter, and a space. If the
# process crashed, the cause is the test that started last.
awk '
  function end() { if (crashed) print "The last test that began: " last; crashed = 0; last = "" }
  /^== Tests: / { end(); lines = 0 }
  / started\.$/ { last = $0 }
  / recorded an issue / { lines = 8 }
  /^[^ -~]+ +(Test|Suite) / && !/ recorded an issue / { lines = 0 }
  /^error: / || /Fatal error/ || /with unexpected signal/ { print substr($0, 1, 300); crashed = 1 }
  lines > 0 { print substr($0, 1, 300); lines-- }
  END { end() }
' "$log" | tail -n 35
exit 1
