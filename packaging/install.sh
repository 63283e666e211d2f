#!/bin/sh
# Installs a build and lists, for uninstall.sh, the folders that it made; CMake itself
# lists only files.  Usage: DESTDIR=... install.sh BUILD PREFIX
set -eu
build=$1 place=${DESTDIR-}$2
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
made=$build/install_folders.txt
folder=$place
while [ ! -d "$folder" ]; do
  echo "$folder" >>"$made"
  folder=$(dirname "$folder")
done
mkdir -p "$place"
find "$place" -type d | sort >"$tmp/before"
cmake --install "$build" --strip
find "$place" -type d | sort | comm -13 "$tmp/before" - >>"$made"
