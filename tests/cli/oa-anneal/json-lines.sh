# JSON lines: a problem in each line, one result each, in their order.
short() { sed 's/"problem.*"energy"/"energy"/; s/,"bound.*"found_by"/,"found_by"/; s/,"seed.*"x"/,"x"/' "$@"; }
solve() {
  oa-anneal --no-times "$@" >r
  echo "status $?"
  short r
}
cat >good.jsonl <<'END'
{"linear":{"a":-1,"b":2},"quadratic":{"a,b":-3},"vartype":"BINARY"}

{"linear":[1,-1],"quadratic":[[0,1,2]],"offset":5,"vartype":"SPIN"}
  {"hubo":[[[0,1,2],-2],[[0],1]],"sense":"min"}
{"type":"BinaryQuadraticModel","version":{"bqm_schema":"3.0.0"},"variable_type":"SPIN","offset":0,"num_variables":2,"num_interactions":1,"variable_labels":[0,1],"use_bytes":false,"linear_biases":[1,1],"quadratic_biases":[1],"quadratic_head":[0],"quadratic_tail":[1]}
END
solve -q good.jsonl
echo '== by content, through a pipe, compressed, with CR LF'
cat good.jsonl | oa-anneal -q --no-times >r && short r | cut -d, -f1
sed 's/$/\r/' good.jsonl | gzip >packed && oa-anneal -q --no-times packed | short | cut -d, -f1
echo '== a problem that is longer than what is looked at first'
awk 'BEGIN {
  for (p = 0; p < 2; p++) {
    printf "{\"linear\":{},\"vartype\":\"BINARY\",\"quadratic\":{"
    for (i = 0; i < 9999; i++) printf "%s\"%d,%d\":-%d", (i > 0 ? "," : ""), i, i + 1, 1 + p
    print "}}"
  }
}' | oa-anneal -q --no-times | short | sed 's/,"found_by.*//'
echo '== bad lines'
{
  echo '{"linear":'
  head -n 1 good.jsonl
  echo 'no JSON'
  echo '{"linear":{"a":"x"}}'
  echo '{"linear":[1],"quadratic":{}}'
  echo '{"linear":[2],"quadratic":{}}'
  echo '{"linear":[1e999],"quadratic":{}}'
  tail -n 1 good.jsonl | tr -d '\n'
} >bad.jsonl
solve bad.jsonl
oa-anneal -q --no-times --format jsonl <bad.jsonl 2>/dev/null | short | cut -d, -f1
echo '== all bad'
echo 'no JSON' | status oa-anneal -q --format jsonl -o none
ls none 2>/dev/null
echo '== one document over several lines is one problem'
printf '{"linear":{"a":-1},\n"quadratic":\n{}, "vartype":"BINARY"}\n' >one.json
solve -q one.json
echo '== beside other files; what is traced and verified has the line, too'
printf 'p qubo 0 1 1 0\n0 0 -7\n' >c.qubo
oa-anneal -q --no-times c.qubo good.jsonl --trace t >r
cut -d, -f1 t
oa-anneal --verify r c.qubo good.jsonl
echo '== a program that waits for each result'
mkfifo in out
exec 4<>out
oa-anneal -q --no-times --format jsonl in >out &
exec 3>in
head -n 1 good.jsonl >&3
read -r line <&4
echo "$line" | short
exec 3>&-
wait
