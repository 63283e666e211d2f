# How much the quality of a solver is worth: the same problems of a model, solved in many ways.
# Usage: solvers.sh MODEL DATA WORK [EXAMPLES].  Prints a line for each way: the mean energy above
# the optimum, as a share of the size of the optimum's, the share of optima found, and that of right
# answers.  The shares are in WORK/solvers.csv, too, for oa-heatmap scatter.
set -eu
model=$1 data=$2 work=$3 first=${4:-500}
mkdir -p "$work"

# The number called `key` of a report.
value() {
  sed -n "s/.*\"$1\":\\([-+.0-9e]*\\).*/\\1/p" "$2"
}

# Of the solutions in `way`.oa.
report() {
  oa-score --json --compare "$work/$1.oa" "$work/optimum.oa" >"$work/$1.json"
  awk -v way="$1" -v distance="$(value distance "$work/$1.json")" \
    -v share="$(value accuracy_a "$work/$1.json")" -v equal="$(value equal "$work/$1.json")" \
    -v problems="$(value problems "$work/$1.json")" 'BEGIN {
      printf "%-22s %12.4f %9.2f %9.2f\n", way, 100 * distance, 100 * equal / problems, 100 * share
    }' | tee -a "$work/ways"
}

solve() {
  way=$1
  shift
  oa-anneal -q --no-times "$@" -o "$work/$way.oa" "$work/problems.oa"
  report "$way"
}

# Packed, and solved by the machine's simulator or, with `exact`, to the optimum.
machine() {
  way=$1 missing=$2
  shift 2
  rm -rf "$work/results"
  oa-cim-pack -q --force "$@" "$work/problems.oa" -o "$work/mat.tar.gz"
  if [ "$missing" = exact ]; then
    mkdir "$work/results"
  else
    oa-cim-sim -q "$work/mat.tar.gz" -o "$work/results"
  fi
  # Status 1: nothing came back from a machine.
  oa-cim-ingest -q --missing "$missing" "$work/mat.manifest" "$work/results" -o "$work/$way.oa" ||
    [ $? -eq 1 ]
  report "$way"
}

: >"$work/ways"
oa-qubo -q --first "$first" "$model" "$data" -o "$work/problems.oa"
echo 'way                       above %  optima %   right %'
solve optimum --solver exact
solve greedy --solver greedy
solve threshold --solver admm
for sweeps in 1 2 5 10 100 1000 10000; do
  solve sa-$sweeps --solver sa --reads 1 --sweeps $sweeps
done
solve tabu --solver tabu
solve sa --solver sa
solve sb --solver sb
solve cim --solver cim
for bits in 8 6; do
  machine packed-$bits-bits exact --bits $bits
  machine packed-$bits-bits-best exact --bits $bits --precision best
  machine machine-$bits-bits fail --bits $bits --merge
  machine machine-$bits-bits-best fail --bits $bits --precision best --merge
done
{
  echo 'solvers,optima found %,right answers %,way'
  # Ways that differ in one number are joined by a line.
  sort -k 3 -g "$work/ways" | awk '{
    family = $1 ~ /^sa-/ ? "sa-N" : $1 ~ /^packed/ ? "packed" : $1 ~ /^machine/ ? "machine" : $1
    print family "," $3 "," $4 "," (family == $1 ? "" : $1) }'
} >"$work/solvers.csv"
