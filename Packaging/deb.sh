#!/bin/sh
# Makes a Debian package of an installed tree: sh Packaging/deb.sh TREE FOLDER
#
# TREE is what 'make install DESTDIR=TREE PREFIX=/usr' left, and is not changed; the package is written to FOLDER.
# The same commit and tree give the same bytes.
set -eu
umask 022
cd "$(dirname "$0")/.."
installed=$1
folder=$2
from=Packaging/debian
root=$folder/root

for program in dpkg-deb dpkg-shlibdeps strip; do
  command -v "$program" > /dev/null || { echo "Install dpkg-dev and binutils first: $program is missing." >&2; exit 1; }
done

# A version that no CHANGELOG entry has yet is after the last one that has: 0.1.0+git20261122210748.b93f00e.
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2> /dev/null || date -r CHANGELOG.md +%s)}
export SOURCE_DATE_EPOCH
version=$(sed -n 's/.*current = "\(.*\)"/\1/p' Sources/Photos/PhotoLibrary/PhotoSpotsVersion.swift)
if grep -q '^## Unreleased' CHANGELOG.md; then
  commit=$(git rev-parse --short=7 HEAD 2> /dev/null) || commit=0
  version="$version+git$(date -u -d "@$SOURCE_DATE_EPOCH" +%Y%m%d%H%M%S).$commit"
fi
architecture=$(dpkg --print-architecture)
maintainer=$(sed -n 's/^Maintainer: //p' "$from/control")

rm -rf "$root"
mkdir -p "$root/DEBIAN"

# The program. Names of functions are a third of it, and serve debuggers alone.
install -D -m 755 "$installed/usr/bin/photospots" "$root/usr/bin/photospots"
strip --strip-unneeded --remove-section=.comment --remove-section=.note "$root/usr/bin/photospots"

share=$root/usr/share
mkdir -p "$share/bash-completion/completions"
# It is read by a shell, not run.
sed '1{/^#!/d}' "$installed/usr/share/bash-completion/completions/photospots" \
  > "$share/bash-completion/completions/photospots"
# Debian's zsh does not read site-functions of /usr/share.
install -D -m 644 "$installed/usr/share/zsh/site-functions/_photospots" "$share/zsh/vendor-completions/_photospots"
install -D -m 644 "$installed/usr/share/fish/vendor_completions.d/photospots.fish" \
  "$share/fish/vendor_completions.d/photospots.fish"
install -D -m 644 "$installed/usr/share/man/man1/photospots.1" "$share/man/man1/photospots.1"
gzip -9n "$share/man/man1/photospots.1"

# Units and their settings.
install -D -m 644 "$from/photospots-serve.service" "$root/usr/lib/systemd/system/photospots-serve.service"
mkdir -p "$root/usr/lib/systemd/user"
sed -e '1,2d' -e 's|/usr/local/bin/|/usr/bin/|' Samples/photospots.service \
  > "$root/usr/lib/systemd/user/photospots.service"
install -D -m 644 "$from/default" "$root/etc/default/photospots"

# Documents, with what they link to.
doc=$share/doc/photospots
mkdir -p "$doc/docs" "$doc/examples"
cp docs/*.md docs/*.jpg "$doc/docs/"
# For developers, with links into the sources.
rm "$doc/docs/swift-libraries.md"
cp -r Samples/README.md Samples/hooks Samples/photospots.service Samples/walk.nmea "$doc/examples/"
ln -s examples "$doc/Samples"
cp NOTICE "$doc/NOTICE"
for notice in .build/checkouts/*/NOTICE.txt; do
  test -f "$notice" || continue
  package=${notice%/*}
  printf '%s\n\n' "==== ${package##*/}"
  cat "$notice"
  echo
done > "$doc/NOTICE.packages"
test -s "$doc/NOTICE.packages" || { echo "The packages' notices are missing: build first." >&2; exit 1; }

# The licence of the outlines of letters is taken from NOTICE.
awk '
  FNR == NR { if (/Copyright \(c\) 2003 by Bitstream/) on = 1; if (on && /^$/) on = 0; if (on) vera = vera substr($0, 4) "\n"; next }
  /^@BITSTREAM-VERA@$/ { printf "%s", vera; next }
  { print }
' NOTICE "$from/copyright" > "$doc/copyright"

# An entry of Debian's form for each one of CHANGELOG.md, in lines of at most 79 columns.
awk -v version="$version" -v maintainer="$maintainer" -v now="$(date -u -R -d "@$SOURCE_DATE_EPOCH")" '
  function flush(  words, count, i, line) {
    if (item == "") return
    count = split(item, words, " ")
    line = "  *"
    for (i = 1; i <= count; i++) {
      if (length(line " " words[i]) > 79) { print line; line = "   " }
      line = line " " words[i]
    }
    print line
    item = ""
  }
  function finish() { flush(); if (date != "") printf "\n -- %s  %s\n\n", maintainer, date }
  /^## / {
    finish()
    if ($2 == "Unreleased") { of = version; date = now } else {
      of = $2
      command = "date -u -R -d " $4
      command | getline date
      close(command)
    }
    printf "photospots (%s) unstable; urgency=medium\n\n", of
    next
  }
  date == "" { next }
  /^$/ { flush(); next }
  /^### / { flush(); printf "  [ %s ]\n", substr($0, 5); next }
  /^- / { flush(); item = substr($0, 3); next }
  { item = item " " $0 }
  END { finish() }
' CHANGELOG.md | gzip -9n > "$doc/changelog.gz"


# What the program is linked with decides the dependencies; what it opens at run time is recommended by the control file.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/debian"
printf 'Source: photospots\n\nPackage: photospots\nArchitecture: any\n' > "$work/debian/control"
program=$(realpath "$root/usr/bin/photospots")
depends=$(cd "$work" && dpkg-shlibdeps -O --warnings=0 "$program" | sed -n 's/^shlibs:Depends=//p')
test -n "$depends"

for script in postinst prerm postrm; do install -m 755 "$from/$script" "$root/DEBIAN/$script"; done
install -m 644 "$from/conffiles" "$root/DEBIAN/conffiles"
size=$(du -k -s --apparent-size --exclude=DEBIAN "$root" | cut -f 1)
sed -e "s|@VERSION@|$version|" -e "s|@ARCHITECTURE@|$architecture|" -e "s|@SIZE@|$size|" -e "s|@DEPENDS@|$depends|" \
  "$from/control" > "$root/DEBIAN/control"
(cd "$root" && find usr -type f -printf '%p\0' | sort -z | xargs -0 md5sum > DEBIAN/md5sums)
chmod -R u=rwX,go=rX "$root"

package=$folder/photospots_${version}_$architecture.deb
rm -f "$folder"/*.deb
dpkg-deb --root-owner-group --build "$root" "$package" > /dev/null
rm -rf "$root"
echo "$package"
