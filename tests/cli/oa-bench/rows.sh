# Rows without their times: what is counted, what must be above zero, and the order.
counted='del(.ms,.rounds,.peak_share,.copy_share,.vs_flash2,.resident_bytes)'
command -v jq >/dev/null || { echo "no jq"; exit 77; }
measure() {
  oa-bench --rounds 3 "$@" --json
}
measure --n 16,5 --d 8 --heads 2 --kinds mlp,softmax,optimizing >plain.json
jq -c 'keys, (.machine|keys), [.rows[]|[.n,.kind]]' plain.json
jq -c ".rows[]|select(.kind!=\"optimizing\")|$counted" plain.json
jq -c '.machine|[.fma_gflops,.copy_gbs|.>0],[.threads]' plain.json
jq -c '.rows[]|[.ms.median,.ms.min,.peak_share,.copy_share,.vs_flash2|.>0],[.ms.iqr>=0,.rounds]' plain.json |
  sort | uniq -c | sed 's/^ *//'
jq -c '.rows[]|select(.kind==.config and .kind=="softmax")|.kind' plain.json
# Requested parts are in the report, and no others.
measure --n 9 --d 8 --kinds softmax:output=false --causal --backward >more.json
jq -c ".rows[]|[.config,.causal,.backward_ms>=0,has(\"decode_us\"),.arena_bytes>=.saved_bytes]" more.json
# Choices and counts of kinds.
measure --n 200 --kinds flash2:scratch=16,flash2,threshold:tau=0.5,rfa,mlp |
  jq -c '.rows[]|[.kind,(.counts//{}|keys),(.counts.scratch_bytes<=16384)]'
oa-bench -q --n 200 --kinds flash2:scratch=16 --rounds 1 | tail -n 3 | sed 's/=[0-9]*/=#/g'
# Memory that threads need is counted; the same number of tokens is measured once.
measure --n 300,300 --heads 4 --kinds flash2 --threads 2 --backward | jq -c '[.machine.threads,(.rows|length)]'
# Work that would take too long is not started.
measure --n 2,4096 --d 8 --kinds optimizing --time-limit 0.000001 |
  jq -r '.rows[]|[.n,.unsupported]|@tsv' | sed 's/about [0-9]*/about N/'
# The form of the CSV and of the tables.
oa-bench -q --n 9 --d 8 --kinds mlp --rounds 1 --csv rows.csv | sed 's/[0-9.]\{1,\}/#/g; s/  */ /g; s|/[a-z]*#*$|/...|' | tail -n +3
head -n 1 rows.csv
tail -n 1 rows.csv | cut -d, -f1-12
