# Files of QOBLIB in their published formats, beside the published optima.
if [ -z "${OA_SHARED:-}" ] || [ ! -e "$OA_SHARED/qoblib" ]; then
  echo "skipped: OA_SHARED names no folder with qoblib"
  exit 77
fi
cd "$OA_SHARED/qoblib" || exit 1
solve() {
  oa-anneal -q --no-times --time-limit 20 "$@" |
    sed 's/.*"variables":\([^,]*\).*"energy":\([^,]*\),.*/\1 variables, \2/'
}
# Independent sets and portfolios are published as maxima, the files are minimised.
published() { # file, name
  echo "$1: $(solve "$1"), published $(grep "^[^,]*,$2," published.csv | cut -d, -f3)"
}
published independent-set/karate.qs.xz karate
published independent-set/johnson8-2-4.qs.xz johnson8-2-4
published market-split/ms_03_050_002.qs.xz ms_03_050_002
published labs/labs010.qs.xz labs010
published formats/01-marketsplit-binary_unconstrained-ms_03_050_002.lp.xz ms_03_050_002
published formats/07-independentset-binary_unconstrained-karate.lp.xz karate
for file in karate keller4 hamming6-4; do
  echo "$file: $(solve --graph independent-set formats/$file.gph)"
done
echo "hamming6-4: clique, $(solve --graph clique formats/hamming6-4.gph)"
echo "keller4: $(solve formats/07-independentset-binary_linear-keller4.lp.xz)"
# Optima of these need longer than a test takes; they are read as meant.
for file in formats/QPLIB_0633.opb formats/QPLIB_3834.opb \
  formats/06-portfolio-binary_quadratic_programming-bqp_a010_t10_orig_b004_l0.0001.lp.xz \
  portfolio/uqo_a010_t10_s00_b004_l0.01.qs.xz; do
  echo "$file: $(oa-anneal -q --time-limit 1 "$file" | grep -o '"variables":[0-9]*')"
done
published formats/01-marketsplit-binary_linear-ms_03_050_002.lp.xz ms_03_050_002
published formats/02-labs-integer-labs012.lp.xz labs012
