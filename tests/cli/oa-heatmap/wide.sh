# Bench results that cannot be drawn are refused, without filling the memory.
try() {
  printf '{"machine":{"processor":"p","fma_gflops":1,"copy_gbs":1},"rows":[{"kind":"a","config":"a","n":%s,"ms":{"median":%s},"flops":1,"traffic_bytes":%s,"arena_bytes":1}]}' "$@" >bench.json
  status oa-heatmap -q bench bench.json -o bench.svg
}
try 1 1 1
try 1 1e-300 1
try 1e31 1 1
try 1 1 1e-300
try 1 1 0
try 1e-30 1e30 1e-30
ls
