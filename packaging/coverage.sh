#!/bin/sh
# Lines and branches of the library that the tests run, by gcov, layer by layer, then
# the files below 95 % of lines.  Headers are not counted: they are compiled into many
# files.  With -n it uses the present build and its counts.
# Usage: coverage.sh [-n] JOBS
set -eu
build=build/coverage
if [ "$1" != -n ]; then
  # A process writes its counts when it ends by exit(); here also by _exit(), which
  # processes that draw pictures use.
  mkdir -p $build
  cat >$build/exit.cc <<'END'
extern "C" {
void __gcov_dump();
[[noreturn]] void __real__exit(int);
[[noreturn]] void __wrap__exit(int status) { __gcov_dump(); __real__exit(status); }
[[noreturn]] void __wrap__Exit(int status) { __wrap__exit(status); }
}
END
  c++ -fPIC -c $build/exit.cc -o $build/exit.o
  wrapped="-Wl,--wrap=_exit,--wrap=_Exit $PWD/$build/exit.o"
  cmake --preset dev -B $build -DOA_WERROR=OFF -DCMAKE_CXX_FLAGS='--coverage -O0' \
    -DCMAKE_EXE_LINKER_FLAGS="$wrapped" -DCMAKE_SHARED_LINKER_FLAGS="$wrapped"
  cmake --build $build --parallel "$1"
  find $build -name '*.gcda' -delete
  # Messages of gcov, where a test limits the size of files, go to another place.  Cases
  # that run tools as a user who may not write counts are left out, and so is the
  # install: what is installed has no gcov.
  GCOV_ERROR_FILE=$PWD/$build/errors.txt
  export GCOV_ERROR_FILE
  ctest --test-dir $build -j "$1" --output-on-failure \
    -E '^(cli: oa-view/read_only|cli: trust/read-only|check: install)$'
fi

# "LAYER FILE LINES-RUN LINES BRANCHES-TAKEN BRANCHES"
find $build/lib -name '*.gcno' | sort | while read -r counts; do
  source=$(echo "$counts" | sed 's,.*\.dir/,,; s,\.gcno$,,')
  gcov -bn "$counts" 2>/dev/null | awk -v source="$source" '
    function share(text) { sub(/.*:/, "", text); sub(/%.*/, "", text); return text / 100 }
    /^File / { ours = index($0, source "\047") > 0 }
    ours && /^Lines executed/ { lines = $NF; run = share($0) * lines }
    ours && /^Taken at least/ { branches = $NF; taken = share($0) * branches }
    END {
      layer = source
      sub(/^oa\//, "", layer)
      sub(/\/.*/, "", layer)
      printf "%s %s %.0f %d %.0f %d\n", layer, source, run, lines, taken, branches
    }'
done >$build/files.txt

awk '
  function percent(a, b) { return b == 0 ? "-" : sprintf("%.1f %%", 100 * a / b) }
  {
    for (k = 1; k <= 2; ++k) {
      name = k == 1 ? $1 : "all"
      if (!(name in lines) && k == 1) order[++n] = name
      run[name] += $3; lines[name] += $4; taken[name] += $5; branches[name] += $6
    }
  }
  END {
    row = "| %-8s | %7s | %9s | %9s | %9s |\n"
    printf row, "layer", "lines", "run", "branches", "taken"
    printf row, "---", "---", "---", "---", "---"
    order[++n] = "all"
    for (i = 1; i <= n; ++i) {
      l = order[i]
      printf row, l, lines[l], percent(run[l], lines[l]), branches[l], percent(taken[l], branches[l])
    }
  }' $build/files.txt
echo
awk '
  BEGIN {
    row = "| %-30s | %9s | %7s |\n"
    printf row, "file below 95 %", "lines run", "not run"
    printf row, "---", "---", "---"
  }
  $4 > 0 && $3 < 0.95 * $4 { printf row, $2, sprintf("%.1f %%", 100 * $3 / $4), $4 - $3 }
' $build/files.txt
