#!/bin/sh
# Unit tests and golden cases under valgrind, which finds reads of memory that was
# not written, also in the packages that we use.  Five cases are left out because
# valgrind changes what they test: it ends the process if `new` has no memory
# (oa-view/memory), uses closed streams for its log (oa-view/full, trust/streams),
# blocks signals before the tool does (oa-view/interrupt), and has no AVX-512
# (oa-bench/instruction-set).
# Usage: valgrind.sh BUILD JOBS [CASE...], cases as "oa-qubo/stride"
set -u
build=$(cd "$1" && pwd)
jobs=$2
shift 2
root=$(cd "$(dirname "$0")/.." && pwd)
dir=$(mktemp -d) || exit 99
trap 'rm -rf "$dir"' EXIT
mkdir "$dir/tools" "$dir/logs" "$dir/done"
chmod 755 "$dir"  # a case runs tools as the user nobody
chmod 777 "$dir/logs"

# under_valgrind PROGRAM: makes a program of the same name that runs it under valgrind
under_valgrind() {
  cat >"$dir/tools/${1##*/}" <<END
#!/bin/sh
exec valgrind -q --error-exitcode=99 --leak-check=full --show-leak-kinds=definite --errors-for-leak-kinds=definite \\
  --suppressions=$root/tests/valgrind.supp --max-threads=600 --log-file=$dir/logs/%p "$1" "\$@"
END
  chmod +x "$dir/tools/${1##*/}"
}
for tool in "$build"/tools/oa-*; do
  [ ! -x "$tool" ] || [ -d "$tool" ] || under_valgrind "$tool"
done
under_valgrind "$build/tests/oa-unit"

left_out='^oa-view/(memory|full|interrupt)$|^trust/streams$|^oa-bench/instruction-set$'
if [ $# -gt 0 ]; then
  printf '%s\n' "$@"
else
  "$build/tests/oa-unit" --list-test-suites | sed -n 's/^[a-z]*$/suite &/p'
  (cd "$root/tests/cli" && ls ./*/*.sh) | sed 's,^\./,,; s,\.sh$,,' | grep / | grep -vE "$left_out"
fi >"$dir/all"

cat >"$dir/one" <<'END'
#!/bin/sh
# one ROOT BUILD DIR NAME
name=$4
case $name in
  suite*) (cd "$3" && "$3/tools/oa-unit" -ts="${name#suite }") ;;
  *) OA_TOOLS=$3/tools OA_TESTS=$2/tests sh "$1/tests/cli/run.sh" "$1/tests/cli/$name.sh" ;;
esac >"$3/out.$$" 2>&1
status=$?
case $status in
  0) result=passed ;;
  77) result=skipped ;;
  *) result=FAILED; head -n 30 "$3/out.$$" ;;
esac
echo "$result $name"
echo "$result" >"$3/done/$$"
END
tr '\n' '\0' <"$dir/all" |
  xargs -0 -n 1 -P "$jobs" sh "$dir/one" "$root" "$build" "$dir"

# A unit test expects that a process that works too long is ended; valgrind must not end
# it before.
find "$dir/logs" -type f -size +0 | while read -r log; do
  if head -n 2 "$log" | grep -q 'default action of signal 24 (SIGXCPU)'; then rm "$log"; fi
done
find "$dir/logs" -type f -size +0 -exec head -n 40 {} +
findings=$(find "$dir/logs" -type f -size +0 | wc -l)
count() { cat "$dir"/done/* | grep -c "$1"; }
echo "$(count passed) passed, $(count skipped) skipped, $(count FAILED) failed," \
  "$(find "$dir/logs" -type f | wc -l) processes, $findings with findings"
[ "$findings" = 0 ] && ! grep -q FAILED "$dir"/done/*
