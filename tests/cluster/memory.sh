#!/bin/sh
# Peak memory of one process that trains, and of each of four ranks: of the data these hold
# a fourth each, and read the rest in passing.
# Usage: memory.sh TOOLS.  Status 77: no MPI here.
set -eu
tools=$(cd "$1" && pwd)
PATH=$tools:$PATH
images=200000
{ command -v mpirun >/dev/null && [ -e "$tools/liboa-mpi.so" ]; } || { echo 'no MPI'; exit 77; }
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cd "$tmp"
export PATH OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
cat >peak.py <<'END'
import os, resource, subprocess, sys
status = subprocess.call(sys.argv[2:])
with open(sys.argv[1] + os.environ.get("OMPI_COMM_WORLD_RANK", ""), "w") as file:
    print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss, file=file)
sys.exit(status)
END
recipe='--epochs 1 --attention softmax --patch 14 --dim 8 --held-out 100 --batch 400 -q -j 1'
ranks() {
  mpirun --oversubscribe --mca btl self,vader --mca btl_vader_single_copy_mechanism none -n 4 \
    python3 peak.py "$1" oa-train "$2" $recipe -o four.bin
  cat "$1"? | sort -n | tail -1
}
oa-digits -q -o few --train 1000 --test 10
oa-digits -q -o many --train "$images" --test 10
data=$((images * 785 / 1024))
python3 peak.py one oa-train many $recipe -o one.bin
few=$(ranks few few)
many=$(ranks many many)
cmp one.bin four.bin
echo "$images images, $data KB: one process $(cat one) KB; of four ranks the largest $many KB, of 1,000 images $few KB"
# A fourth, and some of what ranks send each other.
[ $((many - few)) -lt $((data * 2 / 5)) ] || { echo 'FAILED: ranks hold more than their share'; exit 1; }
