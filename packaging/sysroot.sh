#!/bin/sh
# Puts the libraries of another Debian architecture into FOLDER: those packages of the
# groups "build" and "test" (packages.txt) that end in -dev, and all that they need.  apt
# keeps its lists and downloads in FOLDER too, so this needs no root and changes nothing of
# the system, whose own packages are often a security update older.
# Usage: sysroot.sh ARCHITECTURE FOLDER
set -eu
architecture=$1
packages=$(awk '$1 == "build" || $1 == "test" { for (i = 2; i <= NF; i++) if ($i ~ /-dev$/) print $i }' \
  "$(dirname "$0")/packages.txt")
mkdir -p "$2"
root=$(cd "$2" && pwd)
if [ "$(cat "$root/packages" 2>/dev/null)" = "$packages" ]; then exit 0; fi

mkdir -p "$root/apt/lists/partial" "$root/apt/archives/partial"
: >"$root/apt/status"
apt() {
  apt-get -q -o APT::Architecture="$architecture" -o APT::Architectures="$architecture" \
    -o Dir::State="$root/apt" -o Dir::State::status="$root/apt/status" \
    -o Dir::Cache="$root/apt" -o APT::Sandbox::User= "$@"
}
apt update
# shellcheck disable=SC2086 # one word a package
apt install -y --no-install-recommends --download-only $packages
for package in "$root"/apt/archives/*.deb; do
  dpkg-deb -x "$package" "$root"
  rm "$package"
done
echo "$packages" >"$root/packages"
