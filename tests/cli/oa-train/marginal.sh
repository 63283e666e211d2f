# Coefficients that are exact probabilities, at a temperature that is learned.
oa-digits -q -o d --train 60 --test 20 || exit 1
images=d/t10k-images-idx3-ubyte
train() {
  oa-train d -q -o m.bin --epochs 2 --held-out 10 --dim 8 --coefficients marginal -j 1 "$@"
}
echo "--- what it cannot have"
status train --keys own
status train --patch 14
test ! -e m.bin || echo 'a model is there'
echo "--- a model with its temperatures"
train --patch 14 --attention optimizing:keys=own,heads=2 --json=j && grep -o '"complete":[a-z]*' j
oa-view m.bin | grep -o 'oa.coefficients = .*\|log_temperature *F32([0-9]*)'
oa-view --formula m.bin | grep -o 'log_temperature ([0-9]*)'
oa-score -q m.bin $images --json | grep -o '"coefficients":"[a-z]*"'
echo "--- its problems have no such coefficients"
status oa-qubo -q m.bin $images -o p.oa
oa-qubo -q m.bin $images --coefficients binary --first 2 | oa-anneal -q --solver exact | oa-view --check
oa-score -q m.bin $images --coefficients binary --json | grep -o '"coefficients":"[a-z]*"'
