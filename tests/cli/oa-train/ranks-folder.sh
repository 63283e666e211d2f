# The folder that ranks share fills up, or vanishes: the run ends with the reason; what is
# there is whole.
command -v mpirun >/dev/null || { echo "no mpirun (Debian's openmpi-bin)"; exit 77; }
[ -e "$OA_TOOLS/liboa-mpi.so" ] || { echo "built without MPI (Debian's libopenmpi-dev)"; exit 77; }
# A name space of its own, so that nothing stays mounted.
if [ -z "${IN_NAME_SPACE-}" ]; then
  unshare --mount true 2>/dev/null || { echo 'no name spaces here'; exit 77; }
  exec env IN_NAME_SPACE=1 unshare --mount sh -uc '. "$0"; . "$1"' "$0" "$1"
fi
mkdir small
mount -t tmpfs -o size=200k none small 2>/dev/null || { echo 'cannot mount'; exit 77; }
# Open MPI leaks memory, in libraries that are unloaded when a sanitizer looks, and mpirun
# reads what it gave back.
export ASAN_OPTIONS=detect_leaks=0
unset GLIBC_TUNABLES
ranks() {
  OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 timeout 60 \
    mpirun --oversubscribe --mca btl self,vader --mca btl_vader_single_copy_mechanism none \
    -n 3 oa-train "$@" >out 2>&1
  echo "status $?"
  grep ^oa-train: out
}
oa-digits -q -o d --train 300 --test 30 || exit 1
recipe='--epochs 3 --held-out 130 --patch 7 --dim 16 --batch 10 -q -j 1'
oa-train d -o whole.bin $recipe --checkpoint whole.ckpt || exit 1

echo '== full: after the first epoch there is no room for the second checkpoint'
dd if=/dev/zero of=small/other bs=1k count=1 2>/dev/null
size=$(($(wc -c <whole.ckpt) / 1024 + 8))
mount -o remount,size=${size}k small
ranks d -o model.bin $recipe --checkpoint small/run.ckpt
ls small
[ -e model.bin ] && echo 'a model'
mount -o remount,size=2m small
echo '== with room it goes on'
ranks d -o model.bin $recipe --checkpoint small/run.ckpt --resume small/run.ckpt
cmp whole.bin model.bin && cmp whole.ckpt small/run.ckpt && echo same

echo '== gone'
mkdir gone
ranks d -o model.bin $recipe --epochs 300 --checkpoint gone/run.ckpt >said &
while kill -0 $! && [ ! -e gone/run.ckpt ]; do sleep 0.02; done 2>/dev/null
mv gone elsewhere
wait $!
# Which of the two messages appears depends on the moment.
sed 's/cannot make a file there: //' said
oa-view --check -q elsewhere/run.ckpt >/dev/null && echo 'the last checkpoint is whole'
