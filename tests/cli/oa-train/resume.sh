# Stopped by a signal and resumed, a training ends with the bytes of one that was not.
oa-digits -q -o d --train 300 --test 20 || exit 1
recipe='--held-out 50 --patch 7 --dim 16 --batch 10'
oa-train d -q -o whole.bin --epochs 4 $recipe -j 1 --checkpoint whole.ckpt || exit 1
# The checkpoint of a training that has ended has its model.
oa-train -q --resume whole.ckpt --epochs 0 -o best.bin && cmp whole.bin best.bin && echo 'the best of it'
# A signal: the current batch is finished, then checkpoint and best model are written.
env --default-signal=INT true 2>/dev/null || { echo "env lacks --default-signal"; exit 77; }
env --default-signal=INT oa-train d -q -o int.bin --epochs 4 $recipe --checkpoint int.ckpt --log int.log &
until grep -q epoch int.log 2>/dev/null; do :; done
kill -INT $!
status wait $!
oa-train -q --resume int.ckpt --epochs 0 -o best.bin && cmp int.bin best.bin && echo 'the best so far'
oa-train d -q -o int.bin --epochs 4 $recipe --resume int.ckpt
cmp whole.bin int.bin && echo same
# Another configuration is named, not guessed.
other() { status oa-train "$@" -q -o other.bin; }
other d --epochs 4 $recipe --resume int.ckpt --lr 0.01
other d --epochs 1 $recipe --init int.ckpt --lr 0.01
other d --epochs 3 $recipe --resume int.ckpt
other --images d/t10k-images-idx3-ubyte --epochs 4 $recipe --held-out 5 --resume int.ckpt
head -c 1000 int.ckpt >cut.ckpt
other d --epochs 4 $recipe --resume cut.ckpt 2>/dev/null
other d --epochs 4 $recipe --resume whole.bin
