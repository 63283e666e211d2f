# Bad input: one line and a status each, and no model.
oa-digits -q -o d --train 60 --test 20 || exit 1
mkdir few && cp d/train-images-idx3-ubyte few && cp d/t10k-labels-idx1-ubyte few/train-labels-idx1-ubyte
small='--epochs 1 --held-out 10 --patch 7 --dim 16 -j 1'
try() { status oa-train -o m.bin $small "$@"; }
try none
try few
try --images d/train-images-idx3-ubyte --labels d/train-images-idx3-ubyte
try d --patch 5
try d --held-out 60
try d --queries 0 --dim 0
try d --dim 65537
try d --dim 65536
try d --lambda much
try d --average 1
try d --random-tokens 1
try --images d/train-images-idx3-ubyte --test
mkdir locked && chmod a-w locked
oa-train d -o locked/m.bin $small 2>/dev/null && [ "$(id -u)" != 0 ] && echo 'wrote into a locked folder'
status oa-train d -o nowhere/m.bin $small
status oa-train d -o m.bin --log nowhere/l $small
status oa-train d -o m.bin --checkpoint nowhere/c $small
rm -rf locked
status oa-train d -o m.bin $small --lr 1e300 --warmup 0 --checkpoint c --epochs 3
ls -A
