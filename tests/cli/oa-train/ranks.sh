# Several processes, started by mpirun, train the model that one trains: byte for byte the
# same model and checkpoint, and the same numbers in the log.
command -v mpirun >/dev/null || { echo "no mpirun (Debian's openmpi-bin)"; exit 77; }
[ -e "$OA_TOOLS/liboa-mpi.so" ] || { echo "built without MPI (Debian's libopenmpi-dev)"; exit 77; }
# Open MPI leaks memory, in libraries that are unloaded when a sanitizer looks, and mpirun
# reads what it gave back.
export ASAN_OPTIONS=detect_leaks=0
unset GLIBC_TUNABLES
ranks() {
  n=$1
  shift
  OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 \
    mpirun --oversubscribe --mca btl self,vader --mca btl_vader_single_copy_mechanism none \
    -n "$n" "$@"
}
oa-digits -q -o d --train 300 --test 150 || exit 1
recipe='--epochs 2 --held-out 130 --patch 7 --dim 16 --batch 10 --test'
numbers() { sed 's/"seconds":[^,}]*//; s/,"waited":[^,}]*//' "$1"; }

oa-train d -q -o one.bin $recipe -j 1 --checkpoint one.ckpt --log one.log || exit 1
numbers one.log >one.numbers
for setup in '1 2' '2 1' '2 2' '3 1' '4 1' '8 1'; do
  set -- $setup
  rm -f many.ckpt
  ranks "$1" oa-train d -q -o many.bin $recipe -j "$2" --checkpoint many.ckpt --log many.log ||
    exit 1
  cmp one.bin many.bin && cmp one.ckpt many.ckpt && numbers many.log | cmp - one.numbers &&
    echo "$1 ranks with $2 threads: same"
done
grep -c '"waited":' many.log

echo '== a rank is killed; the run ends, and others go on from the checkpoint'
rm -f many.*
oa-train d -q -o whole.bin $recipe --epochs 6 -j 2 --checkpoint whole.ckpt || exit 1
ranks 3 sh -c 'echo $$ >pid.$OMPI_COMM_WORLD_RANK; exec oa-train "$@"' - \
  d -q -o many.bin $recipe --epochs 6 -j 1 --checkpoint dead.ckpt --log dead.log 2>dead.err &
until grep -q epoch dead.log 2>/dev/null; do sleep 0.02; done
kill -9 "$(cat pid.1)"
wait $! && echo 'a dead rank was not seen'
grep -o 'exited on signal 9' dead.err | head -1
[ -e many.bin ] && echo 'a model, though killed'
ranks 2 oa-train d -q -o many.bin $recipe --epochs 6 -j 2 --resume dead.ckpt --checkpoint dead.ckpt ||
  exit 1
cmp whole.bin many.bin && cmp whole.ckpt dead.ckpt && echo 'resumed: same'

echo '== one rank is asked to stop: all do, and the best model so far is written'
ranks 3 sh -c 'echo $$ >pid.$OMPI_COMM_WORLD_RANK; exec oa-train "$@"' - \
  d -o stopped.bin $recipe --epochs 60 -j 1 --checkpoint stopped.ckpt --log stopped.log >out 2>&1 &
until grep -q epoch stopped.log 2>/dev/null; do sleep 0.02; done
kill -TERM "$(cat pid.2)"
status wait $!
grep '^oa-train:' out | sed 's/[0-9][0-9]* of/N of/; s/has epoch [0-9]*/has epoch N/'
oa-train -q --resume stopped.ckpt --epochs 0 -o best.bin
# A training with --test says in the model how good it is on test images.
for model in stopped best; do oa-view $model.bin | grep -v -e test_accuracy -e '^file' -e bytes >$model.text; done
oa-view stopped.bin | grep -c test_accuracy
diff stopped.text best.text && echo same

echo '== ranks that differ'
refused() {
  OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 \
    mpirun --oversubscribe --mca btl self,vader --mca btl_vader_single_copy_mechanism none "$@" \
    >out 2>&1
  echo "status $?"
  grep ^oa-train: out | sed 's/[0-9.]\{12,\}/N/g'  # sums of data, accuracies
  [ -e no.bin ] && echo 'a model'
}
train="oa-train d -q -o no.bin $recipe"
refused -n 1 $train : -n 1 $train --lr 0.1
refused -n 2 $train : -n 1 $train --seed 2
oa-digits -q -o other --seed 2 --train 300 --test 150
refused -n 1 $train : -n 1 oa-train other -q -o no.bin $recipe
# A rank that does not see the checkpoint, as without a shared folder.
refused -n 1 $train --resume one.ckpt : -n 1 $train
# Initial models: another, or none.
oa-train d -q -o other.bin $recipe --epochs 1 --seed 7 -j 2 || exit 1
refused -n 1 $train --init one.bin : -n 1 $train --init other.bin
refused -n 1 $train --init one.bin : -n 1 $train
refused -n 9 $train
# Each rank has this unknown option; one of them reports it.
refused -n 3 $train --frob
refused -n 1 $train : -n 2 $train --lr x
refused -n 2 oa-train absent -q -o no.bin $recipe
mkdir alone
cp "$OA_TOOLS/oa-train" alone
OMPI_COMM_WORLD_SIZE=2 alone/oa-train d -q -o no.bin 2>&1 | sed 's/ranks, but .* is missing/ranks, but FILE is missing/'
# A module of another version.
version=$(oa-train --version | sed -n '1s/oa-train //p')
LC_ALL=C sed "s/$version/$(echo "$version" | tr 0-9 9)/g" "$OA_TOOLS/liboa-mpi.so" >alone/liboa-mpi.so
OMPI_COMM_WORLD_SIZE=2 alone/oa-train d -q -o no.bin 2>&1 |
  sed "s|$PWD/||; s/$version/VERSION/"
echo '== more parts than 8 for more ranks; a share of the data that is empty'
oa-train d -q -o one.bin $recipe --epochs 1 --parts 10 -j 2 || exit 1
ranks 10 oa-train d -q -o many.bin $recipe --epochs 1 --parts 10 -j 1 || exit 1
cmp one.bin many.bin && echo same
oa-train d -q -o one.bin $recipe --epochs 1 --held-out 298 -j 2 || exit 1
ranks 4 oa-train d -q -o many.bin $recipe --epochs 1 --held-out 298 -j 1 || exit 1
cmp one.bin many.bin && echo same
