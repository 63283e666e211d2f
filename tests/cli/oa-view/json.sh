# One JSON object on one line, whatever the file; numbers exact, so that a program can go
# on from it.
python=/usr/bin/python3
[ -x $python ] || { echo "no $python to read JSON"; exit 77; }
# Not the problems: oa-anneal reads those.
for file in "$DATA"/[!p]*/v1/ok/*; do
  for how in --json '--json -v' '--json --check'; do
    oa-view -q $how "$file"
  done
done >lines
$python -c '
import json
for line in open("lines"):
    value = json.loads(line)
    assert isinstance(value, dict) and "type" in value, line
'
oa-view --json -v "$DATA/stream/v1/ok/solutions.oa" | $python -c '
import json, sys
s = json.load(sys.stdin)
print(s["type"], s["images"], s["complete"], [f["kind"] for f in s["frames"]])
t = {t["name"]: t for t in s["frames"][1]["tensors"]}
print(t["energy"]["values"], t["bound"]["values"], t["x"]["values"], t["index"]["values"])
'
oa-view --json "$DATA/npy/v1/ok/columns.npy"
status oa-view --json --check "$DATA/stream/v1/ok/incomplete.oa"
