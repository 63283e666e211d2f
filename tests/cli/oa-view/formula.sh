# The formula of each layer of a model, as text and as JSON.
oa-digits -q -o d --train 20 --test 5
train() {
  oa-train d -q -o m.bin --epochs 1 --held-out 5 --patch 7 --dim 8 -j 1 --attention "$@"
}
train 'optimizing,optimizing:keys=separate,heads=2,softmax:score=sigmoid,mlp:hidden=2,uniform'
oa-view --formula m.bin
train 'gla:heads=2,kda:heads=2,mamba:states=2,memory:slots=3,h3:states=2,longformer,performer' --dim 8
oa-view --formula m.bin
train threshold --queries 2
oa-view --formula m.bin
train window:radius=1 --causal --patch 14
oa-view --formula m.bin --json
# Not a model, and no part of a stream.
oa-view --formula d/train-images-idx3-ubyte 2>&1 || echo "status $?"
oa-view --formula m.bin --head 1 2>&1 || echo "status $?"
