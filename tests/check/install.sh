# What is installed is complete: the examples, and a program that includes every header,
# build and run with nothing else of ours in reach, through CMake and through pkg-config; the
# manual is there.
# Usage: CXX=... CXXFLAGS=... install.sh SOURCE BUILD
source=$1 build=$2
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
set -e
# By components: the manifest of a whole install is what `uninstall` goes by.
for component in tools dev; do
  cmake --install "$build" --prefix "$tmp/prefix" --component $component >>"$tmp/log"
done
# Where MPI was there, also the module that oa-train looks for below its own folder.
if [ -e "$build/tools/liboa-mpi.so" ]; then
  cmake --install "$build" --prefix "$tmp/prefix" --component mpi >>"$tmp/log"
  test -n "$(find "$tmp/prefix" -path '*/oa/liboa-mpi.so')"
  OMPI_COMM_WORLD_SIZE=2 "$tmp/prefix/bin/oa-train" -o "$tmp/no.bin" "$tmp/absent" >>"$tmp/log" 2>&1 || :
  ! grep -q 'liboa-mpi.so is not there' "$tmp/log"
fi
cd "$tmp/prefix"

for page in "$source"/man/*.[1-8]; do
  name=${page##*/}
  test -s "share/man/man${name##*.}/$name"
done
for page in "$source"/man/zh_CN/*; do
  name=${page##*/}
  test -s "share/man/zh_CN/man${name##*.}/$name"
done
test -s share/doc/oa-tools/README.zh.md
test -s share/doc/oa-tools/SECURITY.md
test -s share/doc/oa-tools/examples/demo.sh
for folder in "$source"/examples/[0-9]*; do
  test -s "share/doc/oa-tools/examples/${folder##*/}/Makefile"
done
# Every link of an installed page leads to a file that is installed.
for page in $(find share/doc -name '*.md'); do
  for link in $(grep -o '](\([^)#]*\)' "$page" | sed 's/^](//' | grep -v '^https\{0,1\}:'); do
    [ -e "$(dirname "$page")/$link" ] || { echo "$page: $link is not installed"; bad=1; }
  done
done
[ -z "${bad:-}" ]
for tool in bin/*; do
  name=${tool#bin/}
  test "$("$tool" --version | head -n 1)" = "$name $(sed -n 's/.*kVersion = "\(.*\)";/\1/p' include/oa/base/version.h)"
  test -s share/bash-completion/completions/$name
done

# The survey of kinds is found, and a user's kind builds.
bin/oa-train "$tmp/absent" -o "$tmp/no.bin" --attention gla:nothing=1 2>&1 | grep -q "'gla' has no option"
# shellcheck disable=SC2086 # words are wanted
$CXX $CXXFLAGS -std=c++20 -fPIC -shared -Iinclude share/doc/oa-tools/examples/11-own-kind/average.cc \
  -o "$tmp/libaverage.so"

# Of system headers, only the C++ library's: all of those have no dot and no folder.
if grep -rn '#include <.*[./]' include; then
  echo "an installed header names a package"
  exit 1
fi

# Each example says by its status whether it got what it should.
mkdir "$tmp/consumer"
cp "$tmp"/prefix/share/doc/liboa-dev/examples/* "$tmp/consumer"
cd "$tmp/consumer"
cmake -S . -B build -DCMAKE_PREFIX_PATH="$tmp/prefix" >log 2>&1 &&
  cmake --build build >>log 2>&1 || { cat log; exit 1; }
for example in *.cc; do
  "build/${example%.cc}" >out || { cat out; exit 1; }
done
# A program that solves a problem links none of the packages that read files and pictures.
linked() {
  objdump -p "$1" | awk '$1 == "NEEDED" { print $2 }'
}
if command -v objdump >/dev/null; then
  ! linked build/solve | grep -E '^lib(archive|z|isal|cairo|fontconfig|jpeg|png)'
  ! linked build/read | grep -E '^lib(cairo|fontconfig|jpeg|png)'
fi

# All headers go together, and with an example.
(cd ../prefix/include && find oa -name '*.h' | sort | sed 's/.*/#include "&"/') >all.cc
cat read.cc >>all.cc
PKG_CONFIG_PATH=$(dirname "$(find "$tmp/prefix" -name oa.pc)")
export PKG_CONFIG_PATH
# shellcheck disable=SC2046,SC2086 # words are wanted
$CXX $CXXFLAGS -std=c++20 all.cc $(pkg-config --cflags --libs oa-io) -o by-pkg-config
./by-pkg-config >out
# shellcheck disable=SC2046,SC2086
$CXX $CXXFLAGS -std=c++20 solve.cc $(pkg-config --cflags --libs oa) -o solve-by-pkg-config
./solve-by-pkg-config >out
