#!/bin/sh
# Removes the files that install.sh wrote, and the folders that it made unless they hold
# other files.  Usage: DESTDIR=... uninstall.sh BUILD
set -eu
files=$1/install_manifest.txt
folders=$1/install_folders.txt
if [ ! -f "$files" ]; then
  echo "nothing was installed from here: $files is missing" >&2
  exit 1
fi
while IFS= read -r file || [ -n "$file" ]; do
  rm -fv "${DESTDIR-}$file"
done <"$files"
sort -r "$folders" | while IFS= read -r folder; do
  rmdir --ignore-fail-on-non-empty "$folder" 2>/dev/null || [ ! -d "$folder" ]
done
rm "$files" "$folders"
