#!/bin/sh
# Installs what the tests of the page need and is missing: node, browsers, a virtual display and Python from the archive of
# Debian or Ubuntu, and the packages of requirements.txt from PyPI into .build/page.
set -eu
cd "$(dirname "$0")/../../.."
tools=.build/page

missing=
for package in chromium chromium-headless-shell webkit2gtk-driver xvfb python3-venv; do
  dpkg-query -W -f '${Status}' "$package" 2> /dev/null | grep -q 'ok installed' || missing="$missing $package"
done
command -v node > /dev/null || missing="$missing nodejs"
if [ -n "$missing" ]; then
  command -v apt-get > /dev/null || { echo "Install first:$missing" >&2; exit 1; }
  echo "installing$missing"
  as=
  [ "$(id -u)" = 0 ] || as=sudo
  $as apt-get update -qq
  $as env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing
fi
if ! cmp -s Tests/Server/Page/requirements.txt $tools/requirements.txt; then
  rm -rf $tools
  python3 -m venv $tools
  $tools/bin/python -m pip install --quiet --retries 10 -r Tests/Server/Page/requirements.txt
  cp Tests/Server/Page/requirements.txt $tools/
fi
