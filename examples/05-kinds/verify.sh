# Conditions on a run of `make check` that hold for any numbers.  Usage: verify.sh OUT
out=$1
cut -d , -f 1-3 "$out/table.csv"
# Accuracies are shares, every row was measured, and the figures are there.
awk -F , 'NR > 1 && ($4 < 0 || $4 > 1 || $5 == "" || $7 <= 0 || $13 <= 0) { print "bad: " $0 }' "$out/table.csv"
grep -c . "$out/table.txt"
for figure in time accuracy; do
  grep -q '</svg>' "$out/$figure.svg" || echo "$figure.svg is not whole"
done
sh exercises.sh
make -s -q QUICK=1 OUT="$out" TOKENS=9,49 SEEDS='1 2' KINDS='flash2 pool mlp-matched' && echo 'all made'
