# Names of variables are kept in csv, and left out of other formats on request.
there_and_back() {
  printf '%s' "$1" >f.json
  oa-anneal -q --convert csv -o f.csv f.json && cat f.csv &&
    oa-anneal -q --no-times f.csv | sed 's/.*"energy/"energy/; s/,"bound.*"names/,"names/'
}
there_and_back '{"linear":{"apple":1.5,"pear":-2},"quadratic":{"apple,pear":-3}}'
there_and_back '{"linear":{"7":1,"3":-2},"quadratic":{"7,3":-3}}'
there_and_back '{"linear":{"alone":-1}}'
there_and_back '{"linear":{"0":1,"b c":-2}}'
there_and_back '{"linear":{"a,b":1,"c":-2}}'
oa-anneal --convert csv "$DATA/problem/v1/ok/a.json" 2>&1 | sed "s,$DATA/,,"
printf '{"linear":{"apple":1.5,"pear":-2},"quadratic":{"apple,pear":-3},"vartype":"BINARY"}' >f.json
for format in qubo orlib biqmac bq csv txt mtx coo bqm; do
  echo "--- $format"
  oa-anneal --convert $format f.json 2>&1
  oa-anneal -q --convert $format --drop-names f.json
done
oa-anneal --drop-names f.json
oa-anneal --drop-names --verify f.json f.json
echo '--- a name for each column'
printf 'a,b,c\n1,2\n0,3\n' >f.csv
oa-anneal f.csv
printf '"x, y",z\n1,2\n0,3\n' >f.csv
oa-anneal --no-times f.csv | sed 's/"seconds":[^,]*,//'
