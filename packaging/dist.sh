#!/bin/sh
# Makes a release in dist/: the tarball of HEAD, the Debian packages built from it,
# their checksums.  The content of the tarball must first build, pass its tests, install
# and uninstall.
set -eu
version=$(sed -n 's/^project(oa VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)
name=oa-tools-$version
refuse() {
  echo "no release: $*" >&2
  exit 1
}

[ -z "$(git status --porcelain)" ] || refuse 'there are changes that are not committed'
grep -q "^## $version\>" CHANGES.md || refuse "CHANGES.md has no heading for $version"
! git rev-parse -q --verify "refs/tags/v$version" >/dev/null ||
  refuse "v$version is a tag already; raise the version in CMakeLists.txt"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
rm -rf dist
mkdir dist
git archive --prefix="$name/" HEAD | gzip -9n >"$work/$name.tar.gz"
tar -xzf "$work/$name.tar.gz" -C "$work"

# Files that are not committed are missing there, so the build finds them.
(
  cd "$work/$name"
  make -f Makefile.dist check
  make -f Makefile.dist install DESTDIR="$work/root" prefix=/opt/oa
  for tool in tools/oa-*.cc; do
    tool=$(basename "$tool" .cc)
    [ "$("$work/root/opt/oa/bin/$tool" --version | head -n 1)" = "$tool $version" ]
  done
  make -f Makefile.dist uninstall DESTDIR="$work/root"
  # It removes the folders that the installation made, root among them.
  [ ! -e "$work/root" ] || refuse "uninstall left $(find "$work/root")"
  make -f Makefile.dist deb
)
mv "$work/$name.tar.gz" "$work/$name"/dist/*.deb dist/
cd dist
sha256sum -- * >SHA256SUMS
cat SHA256SUMS
