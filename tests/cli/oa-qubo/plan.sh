# The plan of a data set has the problems and bytes of the stream, without writing it.
oa-digits -q -o d --train 60 --test 20 || exit 1
oa-train d -q -o m.bin --epochs 1 --held-out 10 --patch 7 --dim 8 || exit 1
images=d/t10k-images-idx3-ubyte
oa-qubo m.bin $images --plan | sed 's/[0-9.]* core-seconds/N core-seconds/; s/[0-9.]* to solve/N to solve/'
oa-qubo m.bin $images --plan --json -o plan && sed 's/"posing.*"sample/"sample/' plan
# The streams have a head and an end besides, which depend on little else.
near() {
  more=$(($(wc -c <"$1") - $(wc -c <"$2") - $(sed "s/.*\"$3\":\([0-9]*\).*/\1/" plan)))
  [ $more -ge -64 ] && [ $more -le 64 ] && echo "$3: as planned"
}
oa-qubo -q m.bin $images -o all.oa
oa-qubo -q m.bin $images --first 0 -o none.oa
near all.oa none.oa problem_bytes
oa-anneal -q all.oa -o all.solved.oa
oa-anneal -q none.oa -o none.solved.oa
near all.solved.oa none.solved.oa solution_bytes
oa-qubo m.bin $images --plan --first 0
status oa-qubo m.bin $images --plan --answers all.oa
