# A damaged log is no result: its task is missing, and --missing says what happens then.
make-stream --variables 8 --images 1 -o in.oa
oa-cim-pack -q -o mat.tar.gz in.oa
oa-cim-sim mat.tar.gz -o r --reads 4
rm r/*.pdf
for log in r/*_02.log; do
  head -c 40 "$log" >half && mv half "$log"
done
for how in fail skip exact original; do
  rm -f out.oa
  oa-cim-ingest mat.manifest r --missing $how --json -o out.oa 2>&1 |
    grep -o 'warning.*\|"\(missing\|missing_tasks\|unreadable\)":[^,]*'
  oa-cim-ingest -q mat.manifest r --missing $how -o out.oa
  echo "$how: status $?"
  [ ! -e out.oa ] || oa-view --check out.oa
done
