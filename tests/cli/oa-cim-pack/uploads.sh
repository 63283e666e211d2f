# Split uploads, single files, single tasks, other layouts.
make-stream --variables 6 --images 5 --queries 5 -o in.oa
oa-cim-pack -q --tasks-per-upload 10 --name Try -o x/../a.tar.gz in.oa 2>/dev/null || mkdir x
oa-cim-pack -q --tasks-per-upload 10 --name Try -o x/a.tar.gz in.oa
ls x
tar tzf x/Try20-24.tar.gz
oa-cim-pack -q --tasks-per-upload 10 --name Again --only 3,12-13 -o x/a.tar.gz in.oa
ls x
tar tzf x/Again12-13.tar.gz
oa-cim-pack -q --tasks-per-upload 20 -o x in.oa && oa-cim-pack -q --tasks-per-upload 20 -o new/ in.oa
# A missing folder is made, with or without a slash.
oa-cim-pack -q --tasks-per-upload 20 -o made in.oa
ls x new made
oa-cim-pack -q --folder -o y/ --only 0-2 in.oa
ls . y
oa-cim-pack --json --merge --spins 20 --folder -o z in.oa 2>merged.json
python3 -c 'import json; r = json.load(open("merged.json"))
print({k: r[k] for k in ("problems", "tasks", "spins_max", "spins_mean")})'
wc -l z/0.csv
oa-cim-pack -q --format ising --folder -o i --only 0 in.oa
wc -l i/0.csv
oa-cim-pack --list-machines
