# The kernels that run are the best that the processor says it can run.
command -v jq >/dev/null || { echo "no jq"; exit 77; }
flags=" $(sed -n 's/^flags.*: //p' /proc/cpuinfo | head -n 1) "
has() {
  for flag; do
    case $flags in *" $flag "*) ;; *) return 1 ;; esac
  done
}
best=SCALAR
if has avx2 fma bmi1 bmi2 f16c aes pclmulqdq; then
  best=AVX2
  if has avx512f avx512vl avx512dq avx512bw; then
    best=AVX3
  fi
fi
used=$(oa-bench -q --kinds mlp --n 1 --d 8 --rounds 1 --json | jq -r .machine.instruction_set)
[ "$used" = NEON ] || [ "$used" = $best ] || echo "$used is used, not $best"
