# Kinds outside the core come from libraries; a missing or unfit one is one line.
[ -e "$OA_TOOLS/liboa-tools.so" ] || { echo "no $OA_TOOLS/liboa-tools.so"; exit 77; }
oa-digits -q -o d --train 20 --test 5
train() {
  oa-train d -o m.bin --epochs 1 --held-out 5 --patch 7 --dim 8 -j 1 -q --attention "$@"
}
try() {
  "$@" >out 2>&1
  status=$?
  sed "s,$PWD/,," out | cut -c 1-220
  echo "status $status"
}
try train gla
try train ./none.so:average
try train "$OA_TOOLS/liboa-tools.so:average" | sed 's,.*/liboa-tools,liboa-tools,'
OA_KINDS=none.so try train average
# Without the survey.
mkdir lib
cp "$OA_TOOLS/liboa-tools.so" lib
LD_LIBRARY_PATH=$PWD/lib
export LD_LIBRARY_PATH
try train gla
try train foo
try oa-view --formula m.bin
try oa-score --model m.bin d
try train softmax
