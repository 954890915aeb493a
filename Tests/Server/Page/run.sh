#!/bin/sh
# Tests the page of a built program in real browsers: sh Tests/Server/Page/run.sh PROGRAM [pytest arguments]
#
# PAGE_WORKERS tests run at a time, 2 by default: each waits for a browser half of its time.
#
# Missing tools are installed first: browsers, a virtual display and Python from the archive of Debian or Ubuntu, and
# browser drivers from PyPI into .build/page.
set -eu
cd "$(dirname "$0")/../../.."
PHOTOSPOTS=$1
shift
tools=$PWD/.build/page

missing=
for package in chromium webkit2gtk-driver xvfb python3-venv; do
  dpkg-query -W -f '${Status}' "$package" 2> /dev/null | grep -q 'ok installed' || missing="$missing $package"
done
if [ -n "$missing" ]; then
  command -v apt-get > /dev/null || { echo "Install first:$missing" >&2; exit 1; }
  echo "installing$missing"
  as=
  [ "$(id -u)" = 0 ] || as=sudo
  $as apt-get update -qq
  $as env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing
fi
if ! "$tools/bin/python" -c 'import axe_playwright_python, PIL, playwright, pytest, schemathesis, xdist' 2> /dev/null; then
  rm -rf "$tools"
  python3 -m venv "$tools"
  "$tools/bin/python" -m pip install --quiet pytest pytest-xdist playwright axe-playwright-python schemathesis pillow
fi

# Tests send requests to this machine, which a proxy cannot forward.
unset http_proxy https_proxy all_proxy HTTP_PROXY HTTPS_PROXY ALL_PROXY
export PHOTOSPOTS PYTHONDONTWRITEBYTECODE=1
exec "$tools/bin/python" -m pytest -q -p no:cacheprovider --numprocesses="${PAGE_WORKERS:-2}" Tests/Server/Page "$@"
