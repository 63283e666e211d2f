#!/bin/sh
# Installs the Debian packages in a bare Debian and runs them there: in a container where
# docker or podman runs, else in a folder that debootstrap fills, as root.  With MIRROR it
# takes Debian's packages from there.  Where that cannot be reached, the packages are only
# unpacked and run with the libraries of this machine, and this is reported.  Usage: try.sh DIST
set -eu
here=$(cd "$(dirname "$0")" && pwd)
dist=$(cd "$1" && pwd)
commands='set -e
oa-digits -q -o /tmp/digits --train 60 --test 10
oa-train /tmp/digits -q -o /tmp/one.bin --epochs 1 --held-out 10 --patch 7
OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 mpirun --oversubscribe -n 2 \
  oa-train /tmp/digits -q -o /tmp/two.bin --epochs 1 --held-out 10 --patch 7
cmp /tmp/one.bin /tmp/two.bin
oa-qubo -q /tmp/one.bin /tmp/digits/t10k-images-idx3-ubyte | oa-anneal -q | oa-score'
for tool in docker podman; do
  if command -v $tool >/dev/null && $tool info >/dev/null 2>&1; then
    $tool build -q -t oa-tools-try -f "$here/Dockerfile" "$dist"
    exec $tool run --rm oa-tools-try sh -c "$commands"
  fi
done
command -v debootstrap >/dev/null || { echo 'no container tool, no debootstrap'; exit 77; }
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
mirror=${MIRROR:-http://deb.debian.org/debian}
if ! debootstrap --print-debs --variant=minbase bookworm "$root" "$mirror" >/dev/null 2>&1; then
  echo "no answer from $mirror: the packages are unpacked and not installed"
  for package in "$dist"/oa-tools_*.deb "$dist"/oa-tools-mpi_*.deb; do
    dpkg -x "$package" "$root"
  done
  cd "$root"
  PATH=$root/usr/bin:$PATH sh -c "$(echo "$commands" | sed "s|/tmp/|$root/|g")"
  exit
fi
debootstrap --variant=minbase bookworm "$root" "$mirror" >"$root.log" 2>&1 ||
  { tail -5 "$root.log"; exit 1; }
mkdir "$root/packages"
cp "$dist"/oa-tools_*.deb "$dist"/oa-tools-mpi_*.deb "$root/packages"
if ls "$dist"/python3-oa_*.deb >/dev/null 2>&1; then
  cp "$dist"/python3-oa_*.deb "$root/packages"
  commands="$commands
python3 -c 'import oa; r = oa.solve({(0, 1): 2, (0, 0): -1}); assert r.proved; print(r.x)'"
fi
chroot "$root" sh -c 'apt-get -q update && DEBIAN_FRONTEND=noninteractive apt-get install -q -y \
  --no-install-recommends /packages/*.deb coinor-libclp1' >>"$root.log" 2>&1 || { tail -5 "$root.log"; exit 1; }
rm -f "$root.log"
# In a name space of its own, so that nothing stays mounted.
unshare --mount sh -c 'mount -t proc proc "$1/proc" && mount -t sysfs sysfs "$1/sys" &&
  exec chroot "$1" sh -c "$2"' - "$root" "$commands"
