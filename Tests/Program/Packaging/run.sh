#!/bin/sh
# Installs, runs, upgrades, removes and purges the package in bare Debian systems:
#   sudo sh Tests/Program/Packaging/run.sh FILE.deb [bookworm] [trixie]
#
# Needs root, debootstrap and the network. A bare system is made once in $ROOTS (.build/roots), and copied for each run.
set -eu
cd "$(dirname "$0")/../../.."

# In namespaces of their own, whatever is mounted or started here ends with this script.
if [ "${1:-}" != --inside ]; then
  test "$(id -u)" = 0 || { echo "Run it as root: it makes roots and changes into them." >&2; exit 1; }
  exec unshare --mount --pid --fork --kill-child sh Tests/Program/Packaging/run.sh --inside "$@"
fi
shift
mount --make-rprivate /
package=$(realpath "$1")
shift
test $# -gt 0 || set -- bookworm trixie
roots=${ROOTS:-.build/roots}
mkdir -p "$roots"
roots=$(realpath "$roots")

# The same package with a greater version, for the upgrade.
newer=$(mktemp -d)
trap 'rm -rf "$newer"' EXIT
dpkg-deb -R "$package" "$newer/tree"
sed -i 's/^Version: .*/&+newer/' "$newer/tree/DEBIAN/control"
DPKG_DEB_COMPRESSOR_TYPE=gzip dpkg-deb --root-owner-group --build "$newer/tree" "$newer/newer.deb" > /dev/null

if command -v lintian > /dev/null; then
  echo "== lintian"
  lintian --fail-on error,warning --tag-display-limit 0 --allow-root "$package"
else
  echo "lintian is not installed, and was not run"
fi

for suite in "$@"; do
  echo "== $suite"
  bare=$roots/$suite
  if [ ! -f "$bare.made" ]; then
    rm -rf "$bare"
    debootstrap --variant=minbase "$suite" "$bare" http://deb.debian.org/debian > "$bare.log" ||
      { tail -n 5 "$bare.log"; exit 1; }
    touch "$bare.made"
  fi
  root=$roots/$suite.test
  rm -rf "$root"
  cp -a --reflink=auto "$bare" "$root"
  mount --bind "$root" "$root"
  mount -t proc proc "$root/proc"
  mount -t tmpfs tmpfs "$root/tmp"
  mount --rbind /dev "$root/dev"
  cp /etc/resolv.conf "$root/etc/resolv.conf"
  cp "$package" "$root/tmp/photospots.deb"
  cp "$newer/newer.deb" "$root/tmp/newer.deb"
  mkdir "$root/tmp/photos"
  cp -r "Samples/photos/2019 Paris" "$root/tmp/photos/"
  chmod -R a+rX "$root/tmp/photos"
  cp Tests/Program/Packaging/inside.sh "$root/tmp/"
  env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8 \
    chroot "$root" sh /tmp/inside.sh
  umount -R "$root"
  rm -rf "$root"
done
echo "the package passed in: $*"
