# What a kind cannot do is a row that says why, in every form of the output.
oa-bench --n 8 --causal --kinds linformer,softmax --heads 3 --json | sed 's/.*"rows"/"rows"/'
oa-bench --n 8 --causal --kinds linformer,softmax --heads 3 --csv rows.csv | tail -n +6
cut -d, -f1-10 rows.csv
# So much memory is nowhere, and it is not asked for.
oa-bench --n 16777216 --kinds softmax --json |
  sed 's/.*"unsupported"/"unsupported"/; s/free are [0-9,]*/free are .../'
