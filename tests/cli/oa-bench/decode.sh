# Memory of decoding: half precision takes half of the bytes (and a row of floats), groups less.
command -v jq >/dev/null || { echo "no jq"; exit 77; }
oa-bench -q --causal --decode --rounds 1 --n 64 --d 64 --heads 8 --json \
  --kinds flash2,flash2:cache=half,gqa,gqa:cache=half,mqa,mqa:cache=half |
  jq -c '.rows[]|[.config,.state_bytes,.decode_us>0]'
status oa-bench --kinds flash2:cache=double 2>&1
