#!/bin/sh
# Do two builds of the tools, for two processors, give the same answers?  One model, which
# TOOLS train; images classified by the model itself and by the pipeline with a proof for
# every problem.  Prints a report.  Fails if a class differs, if a problem is not proved on
# both, or if the same problems are solved otherwise.
# Usage: same_answers.sh TOOLS OTHER [IMAGES]
set -eu
first=$(cd "$1" && pwd)
other=$(cd "$2" && pwd)
images=${3:-20}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"

"$first/oa-digits" -q -o digits --train 2000 --test 200
test=digits/t10k-images-idx3-ubyte
"$first/oa-train" digits -q -o model.bin --epochs 2 --held-out 100
for side in first other; do
  eval "tools=\$$side"
  "$tools/oa-score" -q --model model.bin "$test" --csv $side.csv -o all-$side.txt
  "$tools/oa-qubo" -q model.bin "$test" --first "$images" -o asked-$side.oa
  "$tools/oa-anneal" -q --no-times --solver exact asked-$side.oa -o solved-$side.oa
  "$tools/oa-score" -q solved-$side.oa -o score-$side.txt
done
# The same problems, bit by bit, on the other processor.
"$other/oa-anneal" -q --no-times --solver exact asked-first.oa -o again.oa
"$first/oa-score" -q --compare solved-first.oa solved-other.oa -o compare.txt

bad=0
expect() {  # TEXT COMMAND...: what holds if the command succeeds
  text=$1
  shift
  if "$@"; then echo "yes  $text"; else echo "NO   $text"; bad=1; fi
}
classes() { cut -d, -f1-4 "$1.csv" >"$1.classes"; }
all() { awk -v name="$2" 'index($0, name) == 1 { n += sub(/.*  /, "") && $1 == $3 } END { exit !n }' "$1"; }
classes first
classes other
expect "the model names the same class for each of 200 images" cmp -s first.classes other.classes
expect "the pipeline does for each of $images images" grep -q '^same prediction *100.00 %' compare.txt
expect "every problem is proved here" all score-first.txt 'proved optimal'
expect "every problem is proved there" all score-other.txt 'proved optimal'
# What each poses of an image differs in last bits, and its energies with it; problems that
# are equal in every bit have solutions that are.
expect "the same problems have the same solutions, energies and proofs in every byte" \
  cmp -s solved-first.oa again.oa
paste -d, first.csv other.csv | awk -F, '
  NR > 1 {
    for (i = 5; i <= 14; i++) { d = $i - $(i + 14); if (d < 0) d = -d; if (d > worst) worst = d }
  }
  END { printf "note class probabilities differ by at most %.2g\n", worst }'
grep -h -E '^(images|QUBOs|proved|same|lower|mean of)' score-first.txt compare.txt | sed 's/^/     /'
exit $bad
