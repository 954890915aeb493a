#!/bin/sh
# Tests the page: its modules in node, then a built program in real browsers, in three processes:
# sh Tests/Server/Page/run.sh PROGRAM. With arguments for pytest after it, only pytest runs.
#
# Missing tools are installed first. Tests that fail run again alone: those that pass then are reported as flaky, and are no
# failure.
set -u
cd "$(dirname "$0")/../../.."
export PHOTOSPOTS="$1" PYTHONDONTWRITEBYTECODE=1
shift
sh Tests/Server/Page/tools.sh || exit
results=.build/results
mkdir -p $results
rm -f $results/node*.tap $results/page*.xml

# Tests send requests to this machine, which a proxy cannot forward.
unset http_proxy https_proxy all_proxy HTTP_PROXY HTTPS_PROXY ALL_PROXY

pytest() {
  .build/page/bin/python -m pytest -q -o cache_dir=.build/page/cache -o junit_family=xunit1 -o faulthandler_timeout=300 \
    Tests/Server/Page "$@"
}

# Runs files of node's tests, appends their results to a file, and prints the names of those with failures.
node_tests() {
  tap=$1
  shift
  for file; do
    echo "# $file" >> "$tap"
    nice node --test --test-reporter=tap "$file" >> "$tap" || echo "$file"
  done
}

if [ $# != 0 ]; then
  pytest "$@"
  exit
fi

# The modules' tests compute beside the browsers' tests, which often wait.
node_tests $results/node.tap Tests/Server/Page/unit/*.test.mjs > $results/node-failed &
node=$!

# More failures than these are no accident: the page is broken, and each test waits for its whole patience.
most_again=8
pytest -n 3 --dist worksteal --maxfail $((most_again + 1)) --junit-xml=$results/page.xml
ended=$?
code=0
wait $node || code=1
if [ $ended = 1 ] && [ "$(grep -o '<testcase[^>]*><\(failure\|error\)' $results/page.xml | wc -l)" -le $most_again ]; then
  echo "== again, alone"
  pytest -n 1 --lf --lfnf=none --junit-xml=$results/page-again.xml
  ended=$?
fi
[ $ended = 0 ] || code=1

failed=$(cat $results/node-failed)
if [ -n "$failed" ]; then
  cat $results/node.tap
  echo "== again, alone: $failed"
  [ -z "$(node_tests $results/node-again.tap $failed)" ] || code=1
  cat $results/node-again.tap
fi
exit $code
