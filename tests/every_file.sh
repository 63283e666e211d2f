#!/bin/sh
# Gives every file of the tests to every tool, in each place that takes a file.  Most
# files are not of the expected kind: the tool must say so in one line, end with status
# 2 or 3 (4: the file cannot be read), and leave no output.  Prints a table.
# Usage: every_file.sh TOOLS, a folder of a build
set -u
PATH=$(cd "$1" && pwd):$PATH LC_ALL=C.UTF-8
export PATH LC_ALL
tests=$(cd "$(dirname "$0")" && pwd)
dir=$(mktemp -d) || exit 99
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 99

# One right file for each place.
oa-digits -q -o digits --train 60 --test 5 &&
  oa-train -q -o model.bin --recipe reference --epochs 1 --held-out 10 -j 1 digits &&
  oa-qubo -q model.bin digits/t10k-images-idx3-ubyte --first 1 >problems.oa &&
  oa-anneal -q problems.oa >solutions.oa &&
  oa-cim-pack -q -o mat.tar.gz problems.oa || exit 99
{
  find "$tests/data" "$tests/fuzz/corpus" -type f ! -name '*.why' | sort
  printf '%s\n' /dev/null "$dir/none" "$dir/digits"
  printf '%s\n' "$dir/model.bin" "$dir/problems.oa" "$dir/solutions.oa" "$dir/mat.tar.gz" \
    "$dir/mat.manifest"
} >files
images=$dir/digits/t10k-images-idx3-ubyte

# FILE means each of the files.
cat >commands <<END
oa-view FILE
oa-view --check FILE
oa-view --json FILE
oa-train --images FILE -o out --epochs 1 --held-out 10 -j 1 --recipe reference
oa-train --resume FILE $dir/digits -o out --epochs 1
oa-qubo FILE $images -o out
oa-qubo $dir/model.bin FILE -o out
oa-anneal --time-limit 0.2 FILE -o out
oa-anneal --convert csv FILE -o out
oa-anneal --verify FILE $tests/data/problem/v1/ok/a.rud
oa-score FILE
oa-score --compare FILE $dir/solutions.oa
oa-cim-pack FILE -o out
oa-cim-sim FILE -o out
oa-cim-ingest FILE $dir/mat.tar.gz -o out
oa-cim-ingest $dir/mat.manifest FILE -o out
oa-heatmap sparsity FILE -o out.svg
oa-heatmap levels FILE -o out.svg
oa-heatmap curves FILE -o out.svg
oa-heatmap gaps FILE -o out.svg
oa-heatmap boxplot FILE -o out.svg
oa-heatmap confusion FILE -o out.svg
oa-heatmap targets FILE -o out.svg
oa-heatmap bench FILE -o out.svg
END

# verdict TOOL STATUS: "read", "refused" or "wrong"
verdict() {
  if [ "$2" -le 1 ]; then
    echo read
  elif [ "$2" -le 4 ] && grep -q "^$1: " ../err && [ -z "$(ls -A)" ] &&
    ! grep -q "$(printf '[\001-\010\013-\037]')" ../err; then
    echo refused
  else
    echo wrong
  fi
}

# row COMMAND TRIED READ REFUSED WRONG
row() { printf '| %-44s | %5s | %5s | %7s | %5s |\n' "$@"; }
row command tried read refused wrong
row --- --- --- --- ---
mkdir work
cd work || exit 99
touch ../all
while read -r tool arguments <&3; do
  : >../verdicts
  while read -r file <&4; do
    # shellcheck disable=SC2046,SC2086 # no name has a blank
    timeout 60 "$tool" $(echo "$arguments" | sed "s,FILE,$file,") >../out 2>../err </dev/null
    status=$?
    found=$(verdict "$tool" $status)
    echo "$found" >>../verdicts
    if [ "$found" = wrong ]; then
      echo "status $status: $tool $arguments, $file"
      head -n 3 ../err
    fi
    rm -rf ./* ./.[!.]*
  done 4<../files
  cat ../verdicts >>../all
  row "$(echo "$tool $arguments" | sed "s,$dir/,,g; s,$tests/.*/,,; s, -o .*,," | cut -c1-44)" \
    "$(wc -l <../verdicts)" "$(grep -c read ../verdicts)" \
    "$(grep -c refused ../verdicts)" "$(grep -c wrong ../verdicts)"
done 3<../commands
row all "$(wc -l <../all)" "$(grep -c read ../all)" "$(grep -c refused ../all)" \
  "$(grep -c wrong ../all)"
! grep -q wrong ../all
