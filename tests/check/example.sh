# Runs `make check` in a copy of an example's folder.  Usage: example.sh EXAMPLE TOOLS
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cp "$1"/* "$tmp" || exit
PATH=$2:$PATH make -C "$tmp" -s check
