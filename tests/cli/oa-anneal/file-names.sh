# A file whose name is not UTF-8 is the same file in results, joins and proofs of them.
name=$(printf 'a\377\303\244".qubo')
printf 'p qubo 0 2 2 1\n0 0 -1\n1 1 -2\n0 1 3\n' >"$name"
sed 's/1 1 -2/1 1 -5/' "$name" >"$(printf 'a\376\303\244".qubo')"
for seed in 1 2; do
  oa-anneal -q --no-times --solver sa --seed $seed a*.qubo >run$seed
done
cut -d, -f1 run1
oa-anneal --verify run1 a*.qubo
sed 's/"problem":"[^"]*",//; s/"seconds":0/"seconds":1/' run1 run2 >both
oa-anneal --join both | cut -d, -f1-4
oa-anneal --best-of run1 run2 | cut -d, -f1
oa-anneal -q --no-times --initial run1 a*.qubo | cut -d, -f1
oa-view both | LC_ALL=C tr "\376\377" "??" | grep -a file
python3 -c '
import json, os, sys
for line in open("run1"):
    assert os.path.exists(os.fsencode(json.loads(line)["file"]))'
