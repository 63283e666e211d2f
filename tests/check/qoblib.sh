# packaging/qoblib.py writes the summaries and solutions of two small classes: values in the sense of
# the class, solutions that have them, and nothing twice.
# Usage: qoblib.sh SOURCE TOOLS
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
mkdir -p "$tmp/data/independent-set" "$tmp/data/split"
printf '%s\n' '# maximize obj: sum <v> in V : x[v] - 2 * sum <u,v> in E : x[u] * x[v];' \
  '# ObjectiveOffset 0' '5 10' '1 1 -1' '2 2 -1' '3 3 -1' '4 4 -1' '5 5 -1' \
  '1 2 1' '2 3 1' '3 4 1' '4 5 1' '1 5 1' >"$tmp/data/independent-set/ring.qs"
printf '%s\n' '# minimize obj: (3 - x[1] - 2 * x[2])^2;' '# ObjectiveOffset 9' '2 3' '1 1 -5' \
  '2 2 -8' '1 2 2' | gzip >"$tmp/data/split/uqo_two.qs.gz"
run() {
  python3 "$1/packaging/qoblib.py" "$2" "$tmp/data" "$tmp/out" 5 'A. Person' 2026-01-31
}
run "$@" >"$tmp/first" && run "$@" >"$tmp/second" || exit 1
cd "$tmp/out" || exit 2
[ ! -s ../second ] || { echo 'instances were solved twice'; exit 1; }
cut -d , -f 1-3,5,6,8,12-14 independent-set/summary.csv split/summary.csv >../summaries
diff - ../summaries <<'END' || exit 1
Problem,Submitter,Date,Best Objective Value,Optimality Bound,# Decision Variables,# Non-Zero Coefficients,Coefficients Type,Coefficients Range
ring,A. Person,2026-01-31,2,2,5,10,Integer,-1 - 1
Problem,Submitter,Date,Best Objective Value,Optimality Bound,# Decision Variables,# Non-Zero Coefficients,Coefficients Type,Coefficients Range
two,A. Person,2026-01-31,0,0,2,3,Integer,-8 - 2
END
cd split/20260131_oa-anneal_A.-Person/two && cmp two_summary.csv ../../summary.csv || exit 1
[ "$(tr -s ' \n' ' ' <two_solution.sol)" = 'x#1 1 x#2 1 ' ] || { cat two_solution.sol; exit 1; }
awk 'NR > 1 && $2 && before { bad = 1 } { sum += $2; before = $2 } END { exit bad || sum != 2 }' \
  ../../../independent-set/*/ring/ring_solution.sol
