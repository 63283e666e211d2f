# Converted problems keep their energies, or are refused.
printf '3 3\n1 2 1\n2 3 -2\n1 3 4\n' >a.rud
for format in qubo gset orlib biqmac bq csv mtx coo bqm; do
  echo "--- $format"
  oa-anneal -q --convert $format a.rud -o b
  cat b
  oa-anneal -q --no-times --format $format b | sed 's/.*"sense/"sense/; s/"bound.*//'
done
oa-anneal --convert npy a.rud | oa-anneal -q --no-times | sed 's/.*"energy/"energy/; s/,.*//'
oa-anneal --convert gset "$DATA/problem/v1/ok/a.csv" 2>&1 | sed "s,$DATA/,,"
oa-anneal --convert csv "$DATA/problem/v1/ok/a.json" 2>&1 | sed "s,$DATA/,,"
oa-anneal --convert csv a.rud a.rud 2>&1
ls -A
