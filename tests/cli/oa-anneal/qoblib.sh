# Files of QOBLIB in their published formats, beside the published optima.
if [ -z "${OA_SHARED:-}" ] || [ ! -e "$OA_SHARED/qoblib" ]; then
  echo "skipped: OA_SHARED names no folder with qoblib"
  exit 77
fi
cd "$OA_SHARED/qoblib" || exit 1
energy() {
  oa-anneal -q --no-times --time-limit 20 "$@" |
    sed 's/.*"file":"\([^"]*\)".*"variables":\([^,]*\).*"energy":\([^,]*\),.*/\1 \2 \3/'
}
value() {
  echo "$(basename "$1") $(energy "$@" | sed 's/.* //') published $(grep ",$2," published.csv | cut -d, -f3)"
}
# Independent sets and portfolios are published as maxima, the files are minimised.
published() { # file, name
  echo "$1: $(energy "$1" | cut -d' ' -f3), published $(grep "^[^,]*,$2," published.csv | cut -d, -f3)"
}
published independent-set/karate.qs.xz karate
published independent-set/johnson8-2-4.qs.xz johnson8-2-4
published market-split/ms_03_050_002.qs.xz ms_03_050_002
published labs/labs010.qs.xz labs010
published formats/01-marketsplit-binary_unconstrained-ms_03_050_002.lp.xz ms_03_050_002
published formats/07-independentset-binary_unconstrained-karate.lp.xz karate
energy --graph independent-set formats/karate.gph
energy --graph independent-set formats/keller4.gph
energy --graph independent-set formats/hamming6-4.gph
energy --graph clique formats/hamming6-4.gph
energy formats/07-independentset-binary_linear-keller4.lp.xz
# Their optima need longer than a test takes; that they open is enough.
for file in formats/QPLIB_0633.opb formats/QPLIB_3834.opb \
  formats/06-portfolio-binary_quadratic_programming-bqp_a010_t10_orig_b004_l0.0001.lp.xz \
  portfolio/uqo_a010_t10_orig_b004_l0.0001.qs.xz; do
  oa-view "$file" 2>&1
done
for file in formats/01-marketsplit-binary_linear-ms_03_050_002.lp.xz formats/02-labs-integer-labs012.lp.xz; do
  oa-anneal -q "$file" 2>&1
done
