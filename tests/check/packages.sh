# What CMake says to install is what `make -f Makefile.dist deps` installs.
# Usage: packages.sh SOURCE
cd "$1" || exit 2
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
sed -n 's/^ *oa_need(.* \(.*\))/\1/p; s/^ *oa_want([^ ]* \([^ ]*\) .*)/\1/p' cmake/Packages.cmake | sort -u >"$tmp/cmake"
awk '$1 == "build" || $1 == "test" { for (i = 2; i <= NF; i++) if ($i ~ /-dev$/) print $i }' \
  packaging/packages.txt | sort >"$tmp/packages.txt"
diff -u "$tmp/cmake" "$tmp/packages.txt"
