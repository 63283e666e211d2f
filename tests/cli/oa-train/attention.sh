# Invalid options of kinds of attention: one line each, and no model.  oa-bench/refused has those
# of each kind.
oa-digits -q -o d --train 40 --test 10 || exit 1
try() { status oa-train d -o m.bin --epochs 1 --held-out 10 --patch 7 --dim 16 -j 1 "$@" 2>&1; }
try --attention softmax:heads=3
# Options that depend on the site.
try --attention rfa:gate=true
try --attention csr
try --attention topk:k=0
try --attention softmax*1025
try --attention 'softmax,,mlp'
try --attention window:radius=1,radius=2
try --attention performer:features=65536 --dim 40000
# A pattern of another size; a model has 16 tokens.
printf '3\n0\n1\n2\n' >pattern && try --attention csr:file=pattern
test ! -e m.bin || echo 'a model is there'
# Queries that see nothing are no failure: their rows are 0.
{ echo 16; for q in $(seq 16); do echo -; done; } >none
status oa-train d -q -o m.bin --epochs 1 --held-out 10 --patch 7 --dim 16 -j 1 --attention csr:file=none
