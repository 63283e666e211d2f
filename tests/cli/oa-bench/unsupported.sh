# A kind that cannot run has a row with the reason, in every form of the output.
oa-bench --n 8 --causal --kinds linformer,softmax --heads 3 --json | sed 's/.*"rows"/"rows"/'
oa-bench --n 8 --causal --kinds linformer,softmax --heads 3 --csv rows.csv | tail -n +6
cut -d, -f1-10 rows.csv
# No machine has so much memory, and it is not reserved.
oa-bench --n 16777216 --kinds softmax --json |
  sed 's/.*"unsupported"/"unsupported"/; s/free are [0-9,]*/free are .../'
