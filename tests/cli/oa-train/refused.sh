# Options that do not fit together, or the data: one line, status 2 or 3, before any work.
oa-digits -q -o d --train 60 --test 20 || exit 1
try() { status oa-train -o m.bin --epochs 1 --held-out 10 -j 1 "$@"; }
try d --patch 7 --window 8
mkdir alone && cp d/train-images-idx3-ubyte alone/images
try --images alone/images
oa-digits -q -o empty --train 1 --test 1 || exit 1
try empty --held-out 1
printf 'a,b\n1,2\n' >x.csv
try x.csv
try --text ""
try ""
try d --causal=maybe
ls -A
try d --attention softmax:heads=2 --heads 4
