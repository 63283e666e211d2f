# Each header of the library compiles with nothing before it, and with nothing but the
# standard library and our own headers in reach; what HEADERS lists is installed, and
# includes only what is installed, too.  A .cc that includes it first proves the first;
# headers without such a one are compiled here.  Usage: CXX=... headers.sh LIB GENERATED
cd "$1" || exit 2
generated=$2
bad=0
for header in $(find oa survey/kernel survey/formula survey/kinds -name '*.h' ! -name '*-inl.h' | sort); do
  # A C++ standard header has neither a dot nor a slash in its name.
  if grep -n '^#include <[^>]*[./]' "$header" /dev/null ||
     grep -n '^#include "' "$header" /dev/null | grep -v '#include "\(oa\|survey\)/'; then
    echo "$header: a header of the library includes what is not of the library"
    bad=1
  fi
  first=$(sed -n '/^#include/{s/^#include "\(.*\)"/\1/p;q}' "${header%.h}.cc" 2>/dev/null)
  if [ "$first" != "$header" ]; then
    "$CXX" -std=c++20 -fsyntax-only -Wall -Wextra -Werror -I. -I"$generated" \
      -include "$header" -x c++ /dev/null || bad=1
  fi
done
for header in $(grep '^oa/' HEADERS); do
  file=$header
  [ -f "$file" ] || file=$generated/$header
  for included in $(sed -n 's/^#include "\(.*\)".*/\1/p' "$file"); do
    if ! grep -qx "$included" HEADERS; then
      echo "$header, which is installed, includes $included, which HEADERS does not list"
      bad=1
    fi
  done
done
exit $bad
