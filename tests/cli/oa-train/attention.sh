# Invalid options of kinds of attention, kind by kind: one line each, and no model.
oa-digits -q -o d --train 40 --test 10 || exit 1
try() {
  oa-train d -o m.bin --epochs 1 --held-out 10 --patch 7 --dim 16 -j 1 "$@" 2>&1
  echo "status $?"
}
for kind in optimizing softmax flash1 flash2 mqa gqa window strided dilated longformer \
    sparse-transformer bigbird block-sparse csr learned-mask topk threshold hard linformer \
    linear performer rfa memory gla h3 mamba delta gated-delta kda \
    ttt mesa identity-qk pool uniform mlp query; do
  try --attention $kind:nothing=1 | grep -v 'status 2'
  # Kinds with heads.
  try --attention $kind:heads=3 | grep -v "has no option 'heads'" | grep -v 'status [23]'
done
# Options that depend on the site.
try --attention gqa:heads=4,groups=3
try --attention rfa:gate=true
try --attention pool:size=2
try --attention h3:head_dim=3
try --attention h3:states=3
try --attention csr
try --attention topk:k=0
try --attention softmax*1025
try --attention 'softmax,,mlp'
try --attention window:radius=1,radius=2
try --attention performer:features=65536 --dim 40000
# Invalid patterns, or of another size; a model has 16 tokens.
pattern() {
  printf "$1" >pattern
  try --attention csr:file=pattern
}
pattern ''
pattern '3\n0\n1\n'
pattern '3\n0\n2 1\n1\n'
pattern '3\n0\n3\n1\n'
pattern '3\n0\n1\n2\n'
test ! -e m.bin || echo 'a model is there'
# Queries that see nothing are no failure: their rows are 0.
{ echo 16; for q in $(seq 16); do echo -; done; } >none
oa-train d -q -o m.bin --epochs 1 --held-out 10 --patch 7 --dim 16 -j 1 --attention csr:file=none
echo "status $?"
