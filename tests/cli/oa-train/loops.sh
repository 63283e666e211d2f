# Layers that refine their queries: trained, scored, posed; refused for other kinds.
oa-tasks superposed -q -o d --memory 6 --sum 1 --width 8 --labels 8 --train 120 --test 20 || exit 1
maps=keys=shared,plain=true,output=true
for kind in softmax:$maps softmax:score=sigmoid,$maps optimizing:$maps; do
  oa-train d -q -j 1 -o m.bin --attention $kind --loops 3 --dim 16 --epochs 15 --lr 0.03 || exit 1
  oa-view m.bin | grep -E 'oa.attention =|loop_' | sed 's/ *F32.*//'
  oa-score m.bin d --json | tr , '\n' | grep '"complete"'
done
# The problems of the last loop are those of the model.
oa-qubo m.bin d -q | oa-anneal -q | oa-score - --json | tr , '\n' | grep '"accuracy"' >posed
oa-score m.bin d --json | tr , '\n' | grep '"accuracy"' | cmp - posed && echo same
grep -q ':0.0$' posed && echo 'learned nothing'

echo '-- refused'
try() { status oa-train d -o none.bin --epochs 1 "$@" 2>&1; }
try --attention mlp --loops 2
try --attention optimizing --loops 2
try --loops 0
try --attention softmax:loops=257
test ! -e none.bin
