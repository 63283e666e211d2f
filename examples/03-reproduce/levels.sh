# Solves the problems of a model with several levels in one way, and scores them.
# Usage: levels.sh OUT MODEL IMAGES FIRST LEVELS ENCODING WAY SEED [OPTIONS]
# WAY is a solver of oa-anneal, or `machine`: packed in 8 bits, solved by the practice machine, and
# read back.  Writes OUT.posed.json, OUT.solved.json (but for `machine`), OUT.score.json and the
# solutions, OUT.oa.
set -eu
out=$1 model=$2 images=$3 first=$4 levels=$5 encoding=$6 way=$7 seed=$8
shift 8
problems=$out.problems.oa

oa-qubo "$@" "$model" "$images" --first "$first" --levels "$levels" --encoding "$encoding" \
  --json=$out.posed.json -o "$problems"
if [ "$way" = machine ]; then
  oa-cim-pack -q "$problems" -o "$out.tar.gz" --manifest "$out.manifest"
  rm -rf "$out.results"
  oa-cim-sim -q "$@" --seed "$seed" "$out.tar.gz" -o "$out.results"
  oa-cim-ingest -q "$@" "$out.manifest" "$out.results" -o "$out.oa"
  rm -rf "$out.tar.gz" "$out.manifest" "$out.results"
else
  limit=
  [ "$way" != exact ] || limit='--time-limit 0.1' # of a second for each QUBO
  # shellcheck disable=SC2086  # no limit: no argument
  oa-anneal -q "$@" $limit --solver "$way" --seed "$seed" --json="$out.solved.json" "$problems" \
    -o "$out.oa"
fi
oa-score -q "$@" "$out.oa" --json -o "$out.score.json"
rm -f "$problems"
