# An option without effect is refused, with its requirement; false and 0, which ask for
# nothing, never are.
oa-digits -q -o d --train 60 --test 20 || exit 1
oa-tasks recall -q -o recall --train 60 --test 20 || exit 1
oa-tasks superposed -q -o superposed --train 60 --test 20 || exit 1
try() { status oa-train "$@" -q -o m.bin --epochs 1 --held-out 10 --dim 8 -j 1; }
# Kinds without coefficients.
for option in '--coefficients binary' '--coefficients levels --levels 4' '--normalization none' '--lambda 5' \
    '--value-scale 2' '--divide-output true' '--gradient implicit' '--exact true' '--curriculum true' \
    '--temperature 0.1' '--tolerance 0.1' '--admm-iterations 9'; do
  try d --attention softmax $option
done
# Options of some layers of optimizing.
try d --keys own --lambda 5
try d --keys shared --value-scale 2
try d --keys separate --divide-output true
try d --keys own --temperature 0.1
try d --keys own --normalization fifth
try d --curriculum true
# Options of coefficients and gradients.
try d --coefficients lasso --exact true
try d --coefficients continuous --exact true
try d --coefficients lasso --temperature 0.1
try d --gradient implicit --temperature 0.1
try d --coefficients lasso --tolerance 0.1
try d --admm-iterations 9
for option in '--gradient implicit' '--curriculum true' '--exact true' '--tolerance 0.1'; do
  try d --coefficients marginal --keys own --patch 14 $option
done
# Options of models and data.
try d --token-mlp 0 --query-positions true
try d --attention mlp --positions true
for option in '--patch 4' '--window 4' '--patch-norm true' '--shift 1' '--rotate 1' '--scale 0.1' '--shear 0.1' \
    '--mirror true' '--embedding mlp' '--pooling concat' '--smoothing 0.1' '--double-softmax true'; do
  try recall $option
done
# Only one of two options.
try d --seed 2 --seeds 1-2
try d --images d/train-images-idx3-ubyte
try d --labels d/train-labels-idx1-ubyte
try d --test-labels d/t10k-labels-idx1-ubyte
# Widths that cannot be added.
try superposed --residual true
try d --embedding linear --residual true
test ! -e m.bin || echo 'a model is there'
echo Accepted:
try d --attention softmax --exact false --curriculum false --lambda 0 --divide-output false
try d --attention softmax,optimizing --lambda 5 --token-mlp 0 --query-positions false
try recall --shift 0 --mirror false --smoothing 0 --token-mlp 0
try superposed --residual true --embedding mlp
try d --causal
