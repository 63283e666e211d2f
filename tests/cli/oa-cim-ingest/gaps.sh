# Gaps, submitted again: places in that upload are counted among its own tasks.
make-stream --variables 8 --images 2 --queries 12 -o in.oa
oa-cim-pack -q -o mat.tar.gz in.oa
oa-cim-sim mat.tar.gz -o first --reads 8 --drop 5
missing=$(oa-cim-ingest --json mat.manifest first -o none.oa 2>&1 | sed -n 's/.*"missing_tasks":"\([^"]*\)".*/\1/p')
echo "missing: $missing"
oa-cim-pack -q --only "$missing" -o again.tar.gz --name again in.oa
oa-cim-sim again.tar.gz -o second --reads 8
ls second
count() {
  python3 -c 'import json, sys; r = json.loads(sys.stdin.readlines()[-1])
print(*(f"{k} {r[k]}" for k in ("tasks", "received", "by_name", "renamed", "refuted")))'
}
for results in 'first second' 'first/*.log second/*.log'; do
  status oa-cim-ingest --json mat.manifest $results -o out.oa 2>log
  count <log
  grep -c 'its name' log
done
# With their names in reverse order, some are wrong.
mkdir third && set -- second/*.log
first=$1 && shift && second=$1
cp "$first" third/"$(basename "$second")" && cp "$second" third/"$(basename "$first")"
oa-cim-ingest mat.manifest first third -o out.oa 2>&1 | grep 'its name'
