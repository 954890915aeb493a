#!/bin/sh
# Builds the image with buildah, and serves the sample photos from it: sudo sh Tests/Program/Packaging/container.sh FILE.deb [BASE]
#
# BASE is the image to build on, or a folder with a bare system, such as run.sh leaves in .build/roots, where no registry
# can be reached. Neither a container engine nor compose.yaml is tested: the container runs in buildah's chroot isolation,
# on this machine's network.
set -eu
cd "$(dirname "$0")/../../.."
command -v buildah > /dev/null || { echo "Install buildah first." >&2; exit 1; }

# In namespaces of their own, whatever is mounted or started here ends with this script.
if [ "${1:-}" != --inside ]; then
  exec unshare --mount --pid --fork --kill-child sh Tests/Program/Packaging/container.sh --inside "$@"
fi
mount --make-rprivate /
mount -t proc proc /proc
package=$(realpath "$2")
base=${3:-docker.io/library/debian:bookworm-slim}

scratch=$(mktemp -d)
finish() {
  grep -o " $scratch[^ ]*" /proc/self/mounts | sort -r | xargs -r umount -l
  rm -rf "$scratch"
}
trap finish EXIT
chmod 755 "$scratch"
export BUILDAH_ISOLATION=chroot
store() { buildah --root "$scratch/storage" --runroot "$scratch/run" "$@"; }
fail() { echo "FAILED: $1" >&2; exit 1; }

if [ -d "$base" ]; then
  made=$(store from scratch)
  tar -C "$base" --exclude ./proc --exclude ./sys --exclude ./dev -cf "$scratch/base.tar" .
  store add --quiet "$made" "$scratch/base.tar" / > /dev/null
  store commit --quiet "$made" localhost/base > /dev/null
  base=localhost/base
fi
mkdir "$scratch/context" "$scratch/photos"
cp "$package" "$scratch/context/"
store build --quiet --build-arg "BASE=$base" --format docker --tag photospots --file Packaging/Containerfile \
  "$scratch/context" > "$scratch/log" 2>&1 || { tail -n 20 "$scratch/log"; fail "build"; }
echo "ok: the image is built"

cp -r "Samples/photos/2019 Paris" "$scratch/photos/"
chmod -R a+rX "$scratch/photos"
container=$(store from localhost/photospots)
inside() { store run --volume "$scratch/photos:/photos:ro" "$container" -- "$@"; }

test "$(inside id -un)" = photospots || fail "it runs as root"
! inside touch /photos/a 2> /dev/null || fail "photos can be written"
! inside touch /usr/a 2> /dev/null || fail "the program's folder can be written"
echo "ok: it is not root, and writes to its home alone"

health=$(store inspect --type image --format '{{index .Docker.Config.Healthcheck.Test 1}}' localhost/photospots)
entry=$(store inspect --type image --format '{{range .Docker.Config.Entrypoint}}{{.}} {{end}}' localhost/photospots)
mkfifo "$scratch/address"
# The words of the entry point hold no spaces.
inside $entry /photos > "$scratch/address" 2> "$scratch/serve.log" &
read -r address < "$scratch/address" || { cat "$scratch/serve.log"; fail "serve ended"; }
curl --silent --noproxy '*' --fail --output /dev/null http://localhost:8090/ || fail "the page"
inside sh -c "$health" || fail "the health check of a running service"
echo "ok: the page is served at ${address%%#*}, and the health check passes"
