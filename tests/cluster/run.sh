#!/bin/sh
# The studies of examples/04-cluster on a Slurm of this machine: one task is cancelled, a
# process of another is killed, the node is drained while work waits; run again, all of it
# finishes, and the results are those of one process, byte for byte.
# Usage: run.sh TOOLS.  Status 77: no Slurm here, or not root.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
for program in sbatch slurmctld slurmd munged; do
  PATH=$PATH:/usr/sbin:/sbin command -v $program >/dev/null || { echo "no $program"; exit 77; }
done
[ "$(id -u)" = 0 ] || { echo 'not root, as which this Slurm runs'; exit 77; }
PATH=$(cd "$1" && pwd):$PATH
tmp=$(mktemp -d)
trap '"$here"/slurm.sh stop "$tmp" 2>/dev/null; sleep 1; rm -rf "$tmp"' EXIT
"$here/slurm.sh" start "$tmp"
SLURM_CONF=$tmp/slurm.conf
export PATH SLURM_CONF
cp -r "$here/../../examples/04-cluster" "$tmp/study"
cd "$tmp/study"

fail() {
  echo "FAILED: $*"
  exit 1
}
study() {
  make -s SHARDS=12 RUNS=6 SEEDS=1 KINDS=softmax VARIABLES=60 DIGITS='--train 300 --test 240' \
    TRAIN='--epochs 2 --held-out 30 --patch 4 --dim 16' \
    SOLVE='--no-times --solver sa --reads 100' \
    TARGET='--solver sa --reads 200 --no-times' "$@"
}
idle() {
  until [ -z "$(squeue -h -o %i)" ]; do sleep 0.2; done
}
solved() {
  study status >status
  sed -n 's/^solve: \([0-9]*\) of.*/\1/p' status
}
# Holds a solver of this study in the middle of its work, and prints its process.  Held first:
# one that ends just before it is cancelled or killed would not be lost.
hold_solver() {
  ends=$(($(date +%s) + 100))
  while [ "$(date +%s)" -lt $ends ]; do
    for pid in $(pgrep -f '^oa-anneal .*out/.solve-'); do
      [ "$(readlink "/proc/$pid/cwd")" = "$PWD" ] || continue
      kill -STOP "$pid" 2>/dev/null || continue
      # The signal takes a moment.
      until grep -q '^State:.[TZ]' "/proc/$pid/status" 2>/dev/null; do
        [ -e "/proc/$pid" ] || continue 2
      done
      if grep -q '^State:.T' "/proc/$pid/status" 2>/dev/null; then echo "$pid"; return; fi
    done
    sleep 0.01
  done
  return 1
}
node() {
  scontrol update NodeName=localhost "$@"
}
variable_of() {
  tr '\0' '\n' <"/proc/$1/environ" | sed -n "s/^$2=//p"
}

echo '== an array; a task is cancelled, a process killed, the node drained'
study out/model.bin
study submit-solve MINUTES=0.001
[ "$(squeue -h -r -n oa-solve -o %i | wc -l)" -ge 4 ] || fail 'no array'
if study submit-solve 2>/dev/null; then fail 'submitted twice'; fi
# The first unit is there: its time was measured.
pid=$(hold_solver) || fail 'no solver to cancel'
# Nothing new begins while that waits, so that work is left.
node State=DRAIN Reason=cancel
victim=$(variable_of "$pid" SLURM_ARRAY_JOB_ID)_$(variable_of "$pid" SLURM_ARRAY_TASK_ID)
scancel "$victim"
while squeue -h -r -o %i >queue && grep -qx "$victim" queue; do sleep 0.1; done
node State=RESUME
pid=$(hold_solver) || fail 'no solver to kill'
kill -9 "$pid"
node State=DRAIN Reason=test
until [ -z "$(squeue -h -t R,CG -o %i)" ]; do sleep 0.2; done
waiting=$(squeue -h -r -n oa-solve -t PD -o %i | wc -l)
[ "$waiting" -gt 0 ] || fail 'none waits for the node'
before=$(solved)
node State=RESUME
idle
after=$(solved)
[ "$after" -gt "$before" ] || fail 'nothing ran when the node came back'
[ "$after" -le 10 ] || fail "$after of 12 are there (expected two lost)"
echo "lost $((12 - after)) of 12"

echo '== again'
study submit-solve MINUTES=0.001
idle
[ "$(solved)" = 12 ] || { cat status; fail 'not finished'; }
study submit-train submit-target MINUTES=1
idle
study status
cut -d' ' -f1 log/times | sort | uniq -d | grep . && fail 'made twice'
study out/solve.txt out/target.txt out/train.txt
oa-qubo -q out/model.bin out/digits/t10k-images-idx3-ubyte |
  oa-anneal -q --no-times --solver sa --reads 100 >one.oa
oa-score -q one.oa | cmp - out/solve.txt || fail 'not the score of one process'
echo 'the score of one process'

echo '== several ranks, by srun'
if [ -e "$(dirname "$(command -v oa-train)")/liboa-mpi.so" ]; then
  oa-train out/digits -q -o one.bin --epochs 1 --held-out 30 --patch 7 --dim 16
  # For sanitizers: Open MPI leaks memory, in libraries that are unloaded when they look, and
  # its part for networks takes two locks in either order.
  ASAN_OPTIONS=detect_leaks=0 OMPI_MCA_btl=self,vader \
    OMPI_MCA_btl_vader_single_copy_mechanism=none \
    srun --mpi=pmix -n 2 --overcommit oa-train out/digits -q -o two.bin --epochs 1 --held-out 30 \
    --patch 7 --dim 16 -j 1 2>srun.err || { cat srun.err; fail 'srun'; }
  cmp one.bin two.bin || fail 'another model'
  echo 'the model of one process'
  srun --mpi=none -n 2 --overcommit sh -c 'exec oa-train out/digits -o "own.$SLURM_PROCID.bin" "$@"' - \
    --epochs 1 --held-out 30 --patch 7 --dim 16 -j 1 2>srun.err || { cat srun.err; fail 'srun without PMIx'; }
  [ "$(grep -c 'that are not connected' srun.err)" = 1 ] || { cat srun.err; fail 'no warning, or several'; }
  cmp one.bin own.1.bin || fail 'another model'
  echo 'tasks that do not know each other: a warning'
fi
