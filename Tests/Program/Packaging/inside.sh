# The life of the package in a bare system, from install to purge; run.sh runs it there as root.
set -eu

pass() { echo "ok: $1"; }
fail() { echo "FAILED: $1" >&2; exit 1; }
get() { apt-get install -y -qq -o Dpkg::Use-Pty=0 "$@" > /tmp/apt.log 2>&1 || { tail -n 20 /tmp/apt.log; fail "install $*"; }; }
version() { dpkg-query -W -f '${Version}' photospots; }
# A command as the user of the service.
as_user() { (cd / && env HOME=/var/lib/photospots setpriv --reuid photospots --regid photospots --init-groups "$@"); }
# An HTTP request to the page; bash has sockets, and the bare system no other client.
status_line() { bash -c 'exec 3<> /dev/tcp/127.0.0.1/8090; printf "GET $0 HTTP/1.0\r\nHost: localhost:8090\r\n\r\n" >&3; head -n 1 <&3' "$1"; }

apt-get update -qq

get --no-install-recommends /tmp/photospots.deb
installed=$(version)
pass "it installs with its dependencies alone"

test -z "$(ldd /usr/bin/photospots | grep 'not found')" || fail "a library is missing"
case "$installed" in "$(photospots --version | cut -d ' ' -f 2)"*) ;; *) fail "version" ;; esac
bash -n /usr/share/bash-completion/completions/photospots
gzip -t /usr/share/man/man1/photospots.1.gz
for link in $(grep -oh '][(][^)#:]*[)#]' /usr/share/doc/photospots/docs/*.md | sed 's/^..//; s/.$//'); do
  test -e "/usr/share/doc/photospots/docs/$link" || fail "the documents link to $link"
done
pass "program, completions, manual page and documents are whole"

test "$(stat -c '%U %a' /var/lib/photospots)" = "photospots 750" || fail "the home of the service"
as_user photospots index --quiet /tmp/photos
as_user photospots near 48.8584 2.2945 --radius 1km > /tmp/near
grep -q '48.8' /tmp/near || fail "near"
pass "the user of the service indexes and asks"

# As the unit starts it, with the folders of /etc/default.
serve() {
  . /etc/default/photospots
  command=$(sed -n 's/^ExecStart=//p' /usr/lib/systemd/system/photospots-serve.service)
  rm -f /tmp/address
  mkfifo /tmp/address
  as_user sh -c "exec $(echo "$command" | sed "s|\$PHOTOSPOTS_SERVE|$PHOTOSPOTS_SERVE|")" > /tmp/address 2> /tmp/serve.log &
  read -r address < /tmp/address || { cat /tmp/serve.log; fail "serve ended"; }
}
sed -i 's|^PHOTOSPOTS_SERVE=.*|PHOTOSPOTS_SERVE="/tmp/photos"|' /etc/default/photospots
serve
case "$(status_line /)" in *" 200 "*) ;; *) fail "the page: $(status_line /)" ;; esac
case "$(status_line /api/v1/spots)" in *" 401 "*) ;; *) fail "spots without a key: $(status_line /api/v1/spots)" ;; esac
process=
for folder in /proc/[0-9]*; do
  command=$(tr '\0' ' ' 2> /dev/null < "$folder/cmdline") || continue
  case "$command" in "/usr/bin/photospots serve"*) process=${folder#/proc/} ;; esac
done
test -n "$process" || fail "no process serves"
test "$(stat -c %U "/proc/$process")" = photospots || fail "it runs as root"
as_user photospots status --quiet > /tmp/status || { cat /tmp/status; fail "status"; }
kill -TERM "$process"
wait
pass "the page is served, not as root, and ends when asked"

get --no-install-recommends /tmp/newer.deb
test "$(version)" = "$installed+newer" || fail "upgrade"
grep -q '^PHOTOSPOTS_SERVE="/tmp/photos"' /etc/default/photospots || fail "the upgrade lost /etc/default/photospots"
as_user photospots near 48.8584 2.2945 --radius 1km | cmp - /tmp/near || fail "the upgrade lost the index"
pass "an upgrade keeps settings, index and state"

get /tmp/newer.deb
get libcurl4 libsqlite3-0 ca-certificates tzdata
libraries=$(ldconfig -p)
for library in libcurl.so.4 libsqlite3.so.0; do
  case "$libraries" in *"$library "*) ;; *) fail "$library, which the program opens, is not in what is recommended" ;; esac
done
pass "what it opens at run time can be had under the recommended names"

# What the units name: kill, and the manual page.
get --no-install-recommends systemd procps man-db
systemd-analyze verify photospots-serve.service > /tmp/verify 2>&1 || true
systemd-analyze --user verify /usr/lib/systemd/user/photospots.service >> /tmp/verify 2>&1 || true
! grep -i photospots /tmp/verify || fail "systemd-analyze verify"
systemd-analyze security --offline=true --threshold=25 photospots-serve.service > /tmp/security ||
  { tail -n 1 /tmp/security; fail "the unit is too open"; }
pass "systemd reads the units; exposure: $(sed -n 's/.*Overall exposure level for [^:]*: //p' /tmp/security)"

apt-get remove -y -qq photospots > /tmp/apt.log 2>&1 || { cat /tmp/apt.log; fail "remove"; }
test ! -e /usr/bin/photospots || fail "the program stayed"
test -f /etc/default/photospots && test -d /var/lib/photospots/.cache/photospots || fail "remove took settings or state"
pass "remove keeps settings, index and state"

get --no-install-recommends /tmp/photospots.deb
as_user photospots near 48.8584 2.2945 --radius 1km | cmp - /tmp/near || fail "installed again, it lost the index"
pass "installed again, it goes on"

apt-get purge -y -qq photospots > /tmp/apt.log 2>&1 || { cat /tmp/apt.log; fail "purge"; }
left=$(find / -xdev \( -path /proc -o -path /tmp -o -path /var/cache/man \) -prune -o -name '*photospots*' -print)
test -z "$left" || fail "purge left $left"
grep -q '^photospots:.*nologin' /etc/passwd || fail "the user should stay, without a login"
pass "purge leaves nothing but the name of the user"
