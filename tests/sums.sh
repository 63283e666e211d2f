#!/bin/sh
# The sha256 sums of the output of a fixed set of commands: models, streams, packs,
# figures, reports and refusals.  A change without a change of behaviour keeps them: run
# this before and after, on one machine, and compare.  Results may differ in their last
# bits between instruction sets.
# Usage: OA_SHARED=DIR sums.sh TOOLS > SUMS
set -u
PATH=$(cd "$1" && pwd):$PATH
export PATH
shared=$(cd "${OA_SHARED:?the folder of public data}" && pwd) || exit
dir=$(mktemp -d) || exit 99
trap 'rm -rf "$dir"' EXIT
trap 'exit 130' INT TERM
cd "$dir" || exit 99
images=$shared/mnist/t10k-images-idx3-ubyte.gz
reference=$shared/reference
number=0

# sum NAME: of standard input, with measured times set to 0
sum() {
  sed -E 's/("(seconds|images_per_second|solve_seconds)":)[0-9.e+-]+/\10/g' |
    sha256sum | sed "s|-\$|$1|"
}

# sums COMMAND...: of its status, of what it prints and of files that it made here
sums() {
  number=$((number + 1))
  name=$(printf '%03d %s' $number "$(echo "$*" | sed "s|$shared/||g")")
  mkdir made
  (cd made && "$@" >../out 2>../err </dev/null)
  echo "status $? of $name"
  sum "stdout of $name" <out
  sed "s|$shared/||g" err | sed -E 's/[0-9.]+ (s|ms)\b/0 \1/g; s/[0-9,]+ (images|problems|QUBOs)\/s/0/g' |
    sum "stderr of $name"
  (cd made && find . -type f | LC_ALL=C sort) >files
  while read -r path; do
    case $path in
      *.gz) gzip -dc "made/$path" ;;
      *) cat "made/$path" ;;
    esac >content
    if [ "$(wc -l <files)" -le 20 ]; then
      sum "$path of $name" <content
    else
      sum "$path" <content >>many
    fi
  done <files
  [ ! -e many ] || sum "all files of $name" <many
  rm -f many
  # Input of later commands.
  cp -R made/. . && rm -rf made || exit 99
}

# Data and trainings.
sums oa-digits -o digits --train 1500 --test 300
for recipe in best reference; do
  for kind in optimizing softmax uniform mlp query; do
    sums oa-train -q ../digits --recipe $recipe --attention $kind --epochs 2 --held-out 300 \
      --test --log log.$recipe.$kind --checkpoint checkpoint.$recipe.$kind -o $recipe.$kind.bin
  done
  for kind in continuous lasso; do
    sums oa-train -q ../digits --recipe $recipe --coefficients $kind --epochs 1 --held-out 1000 \
      --json -o $recipe.$kind.bin
  done
done
for gradient in smoothed implicit unrolled none; do
  sums oa-train -q ../digits --gradient $gradient --coefficients continuous --epochs 1 --held-out 1000 \
    -o gradient.$gradient.bin
done
sums oa-train -q ../digits --layers 2 --epochs 1 --held-out 1000 --seeds 3,4 -o layers.bin
sums oa-train -q ../digits --queries 8 --exact true --epochs 1 --held-out 1000 -o queries.bin
sums oa-train -q ../digits --patch 7 --token-mlp 0 --head 0 --normalization fifth --random-tokens 0.1 \
  --shift 0 --rotate 0 --scale 0 --shear 0 --clip 1 --smoothing 0.1 --weight-decay 0.01 --epochs 1 \
  --schedule step --held-out 1000 -o other.bin
sums oa-train -q ../digits --epochs 2 --held-out 300 --resume ../checkpoint.best.optimizing -o resumed.bin

# Streams.
sums oa-qubo "$reference/binarised.safetensors" "$images" --first 40 --json -o binary.oaqs
sums oa-qubo "$reference/binarised.safetensors" "$images" --index 3,7,20-29 --shard 1/3
sums oa-qubo "$reference/binarised.safetensors" "$images" --first 3 --stride 2
sums oa-qubo "$reference/continuous.safetensors" "$images" --first 10 -o continuous.oaqs
sums oa-qubo ../best.lasso.bin "$images" --first 3 -o lasso.oaqs
sums oa-qubo ../best.optimizing.bin "$images" --first 5
sums oa-qubo ../best.softmax.bin "$images" --first 5
for solver in auto exact sa pt tabu sb sb-discrete cim cim-control admm greedy; do
  sums oa-anneal --no-times --solver $solver ../binary.oaqs -o $solver.oaqs
  sums oa-anneal --no-times --solver $solver --top 3 --seed 5 -j 2 --json ../binary.oaqs
  for problem in bqp50_1.qubo bqp100_1.qubo; do
    sums oa-anneal --no-times --solver $solver "$shared/instances/$problem"
  done
done
for schedule in geometric linear vendor; do
  sums oa-anneal --no-times --solver sa --schedule $schedule --reads 3 --sweeps 20 --hot 5 --cold 0.1 ../binary.oaqs
done
sums oa-anneal --no-times ../continuous.oaqs -o continuous.solved
sums oa-anneal --no-times ../lasso.oaqs -o lasso.solved
sums oa-anneal --no-times --coefficients binary ../continuous.oaqs
sums oa-anneal --no-times --solver sa --top 3 --no-presolve --target -1000 "$shared/instances/bqp250_1.qubo"
sums oa-anneal --no-times --solver tabu --reads 2 --sweeps 50 --trace trace "$shared/instances/G1.txt"
for format in qubo gset biqmac bq csv npy mtx coo bqm orlib; do
  sums oa-anneal --convert $format "$shared/instances/bqp50_1.qubo" -o converted.$format
done

# The machine.
for options in '' '--precision best --no-fix' '--precision best' '--precision best --merge --spins 550' '--bits 6' '--format ising' \
  '--machine cpqc-550' '--tasks-per-upload 20 --name Up' '--folder --only 3,9'; do
  # shellcheck disable=SC2086
  sums oa-cim-pack $options ../binary.oaqs --json --manifest manifest -o mat$number.tar.gz
done
sums oa-cim-pack --list-machines
sums oa-cim-pack --precision best ../binary.oaqs --manifest packed.manifest -o packed.tar.gz
sums oa-cim-sim ../packed.tar.gz --drop 3 --duplicate 2 --corrupt 2 --fail 1 --shuffle-names -o results
for missing in fail skip exact original; do
  sums oa-cim-ingest ../packed.manifest ../results --missing $missing --json --top 2 -o ingested.$missing
done
sums oa-cim-ingest ../packed.manifest ../results --rename-to renamed --missing skip
sums oa-cim-ingest --matrices "$shared/cim/submitted/mat" "$shared/cim/returned" --json -o returned.oaqs

# Scores, figures and pages.
sums oa-score ../exact.oaqs --csv exact.csv --top-k 3 --wrong
sums oa-score ../exact.oaqs --json
sums oa-score ../continuous.solved --csv continuous.csv
for model in binarised continuous softmax_attention only_mlp; do
  sums oa-score --model "$reference/$model.safetensors" "$images" --first 300 --csv $model.csv --json
done
sums oa-score --model ../best.lasso.bin "$images" --first 30 --json
sums oa-score --compare ../binarised.csv ../continuous.csv --json
sums oa-score --compare ../exact.oaqs ../greedy.oaqs
for format in png svg - json; do
  case $format in
    json) to='--json' ;;
    -) to='--color always' ;;
    *) to="-o figure.$format" ;;
  esac
  # shellcheck disable=SC2086
  {
    sums oa-heatmap $to sparsity ../exact.oaqs --image 3 --names --energy
    sums oa-heatmap $to sparsity ../exact.oaqs --mean
    sums oa-heatmap $to sparsity ../exact.oaqs --images "$images"
    sums oa-heatmap $to boxplot ../binarised.csv ../softmax_attention.csv --notches --outliers
    sums oa-heatmap $to curves ../log.best.optimizing "$reference/epoch_log_binarised.json" --log --smooth 2
    sums oa-heatmap $to confusion ../binarised.csv
    sums oa-heatmap $to gaps ../exact.oaqs ../greedy.oaqs ../sa.oaqs
    sums oa-heatmap $to levels ../packed.tar.gz
  }
done
for file in binary.oaqs exact.oaqs continuous.solved lasso.solved best.optimizing.bin packed.manifest \
  checkpoint.best.optimizing converted.npy digits/train-images-idx3-ubyte; do
  [ -e "$file" ] || file=$file.gz
  sums oa-view "../$file"
  sums oa-view --json "../$file"
  sums oa-view --check "../$file"
done
sums oa-view -v --head 1 --color always ../exact.oaqs
sums oa-view --select 3,5 ../exact.oaqs -o cut.oaqs

# Help, versions and refusals.
for tool in oa-anneal oa-bench oa-cim-ingest oa-cim-pack oa-cim-sim oa-digits oa-heatmap oa-qubo oa-score oa-tasks oa-train oa-view; do
  sums $tool --help
  sums $tool --version
  sums $tool --no-such-option
  sums $tool /nowhere/at/all
  sums $tool "$shared/README.md"
done
