#!/bin/sh
# Installs the missing packages of the given groups (packages.txt), as root or by sudo.
# If sudo would ask for a password, it prints the line to run and fails.  It does
# nothing on systems that are not based on Debian: there CMake names missing packages.
# Usage: deps.sh GROUP...
set -eu
command -v dpkg-query >/dev/null || exit 0
packages=$(awk -v groups=" $* " '
  !/^#/ && index(groups, " " $1 " ") { for (i = 2; i <= NF; i++) print $i }
  ' "$(dirname "$0")/packages.txt")

missing=
for package in $packages; do
  state=$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null) || state=unknown
  if [ "$state" != installed ]; then missing="$missing $package"; fi
done
if [ -z "$missing" ]; then exit 0; fi

install="apt-get install -y --no-install-recommends$missing"
if [ "$(id -u)" = 0 ]; then
  sudo=
elif sudo -n true 2>/dev/null; then
  sudo='sudo -n'
else
  cat >&2 <<END
Packages are missing, and installing them needs root.  Run this line, then make again:

  sudo apt-get update && sudo $install

END
  exit 1
fi
echo "installing:$missing"
# Old lists of packages may still be good enough.
$sudo apt-get -q update || echo 'apt-get update failed; trying with the lists there are' >&2
$sudo env DEBIAN_FRONTEND=noninteractive $install -q
