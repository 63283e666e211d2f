# Single problems of every format through the practice machine and back: a line of JSON for
# each, in the variables and energies of its file, which oa-anneal verifies.
ok=$DATA/problem/v1/ok
trip() {
  rm -rf r m.*
  oa-cim-pack -q -o m.tar.gz "$@" &&
    oa-cim-sim m.tar.gz -o r --reads 20 &&
    oa-cim-ingest -q m.manifest r -o answers
}
for file in "$ok"/a.*; do
  trip "$file" || echo "status $?"
  oa-anneal --verify answers "$file" >verified || echo wrong
  oa-anneal -q --no-times "$file" >optimum
  for lines in answers optimum; do
    sed "s,$DATA/,,;"'s/.*"file":"\([^"]*\)".*"energy":\([^,]*\),.*"x"/\1 \2 x/' $lines
  done
done
# Several files, with fixing: a task each.
printf '1,-2,0\n0,1,-2\n0,0,1\n' >q.csv
printf '5 5\n1 2 1\n2 3 1\n3 4 1\n4 5 1\n1 5 1\n' >ring.rud
trip --precision best q.csv ring.rud
cat answers
oa-cim-ingest --json m.manifest r --top 3 2>&1 >top |
  grep -o '"\(tasks\|checked\|best_is_optimal\|optimal_in_original\|unchecked\)":[0-9]*'
sed 's/.*"top"/"top"/' top
# Numbers that are not floats are kept exactly.
printf '16777217.25,-33554435.5\n0,16777217.125\n' >wide.csv
trip wide.csv && cat answers
trip --format ising wide.csv
oa-cim-ingest -q m.manifest --missing original | cat
# Impossible values.
status oa-cim-pack --force -o m.tar.gz --merge q.csv
oa-cim-pack --force -o m.tar.gz --machine cpqc-100 --input-format qubo - <<END
p qubo 0 200 0 1
0 199 1
END
echo "status $?"
printf '2 1\n1 2 1\n' | oa-cim-pack --force -o m.tar.gz --json=- >/dev/null
echo "status $?"
make-stream --variables 8 --images 1 -o in.oa
status oa-cim-pack --force -o m.tar.gz --sense max in.oa
# The optima of a large graph are unknown, but a matrix of integers loses nothing.
awk 'BEGIN { print 400, 400; for (i = 1; i <= 400; ++i) print i, i % 400 + 1, (i % 3 == 0 ? -1 : 1) }' >large.rud
oa-cim-pack --force --json -o m.tar.gz large.rud 2>&1 | grep -o '"\(unchecked\|kept_every\)":[0-9]*'
awk 'BEGIN { print 400, 400; for (i = 1; i <= 400; ++i) print i, i % 400 + 1, i }' >large.rud
oa-cim-pack --force --json -o m.tar.gz --precision best large.rud 2>&1 | grep -o '"\(unchecked\|kept_every\)":[0-9]*'
