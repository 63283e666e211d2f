# JSON problems of other programs; and JSON that is not a problem, named in the message.
try() {
  printf '%s\n' "$1" >f.json
  shift
  oa-anneal -q --no-times "$@" f.json 2>&1 | sed 's/.*"variables"/"variables"/; s/"bound.*"seed":1,//'
}
echo '--- h and J are spins'
try '{"h": {"a": 1, "b": -2}, "J": {"a,b": 3}}'
try '{"h": [1, -2], "J": {"(0, 1)": 3}, "offset": 0.5}'
try '{"J": {"a": {"b": 3}}}'
try '{"h": [0.5, 0, 0], "J": [[0, 2, -1], [0, 0, 0.5], [0, 0, 0]]}'
try '{"J": [["a", "b", 3], ["b", "c", -1]]}'
try '{"h": [1, 2]}' --sense max
echo '--- Q is of 0/1 variables, and may have squares'
try "{\"Q\": {\"('a','a')\": -1, \"('a','b')\": 2, \"('b','b')\": -3}}"
try "{\"('a','a')\": -1, \"('a','b')\": 2, \"('b','b')\": -3}"
try '{"a,b": 2, "b,c": -3}' --vartype spin
try '{"a,a": 2, "b,c": -3}' --vartype spin
oa-anneal --no-times f.json | cut -c 1-60
echo '--- a matrix as nested lists'
try '[[-1, 2], [0, -3]]'
try '[[-1, 2], [0, -3]]' --vartype spin
try '[[0, -1, 15], [1, 2, -11], [2, 2, -1.5]]'
try '[]'
try '[[1, 2], [3]]'
try '[[1, "a"], [3, 4]]'
echo '--- three terms or a matrix'
try '[[0, 1, 15], [1, 2, -11], [2, 2, -1.5]]'
try '{"Q": [[0, 1, 15], [1, 2, -11], [2, 2, -1.5]]}'
try '{"quadratic": [[0, 1, 15], [1, 2, -11], [0, 2, -1.5]], "vartype": "SPIN"}'
echo '--- contradictions'
try '{"h": [1], "J": [[0, 2], [0, 0]]}'
try '{"h": {"a": 1}, "J": [[0, 2], [0, 0]]}'
try '{"J": {"a,a": 3}}'
try '{"J": [[1, 2], [2, 0]]}'
try '{"h": [1], "J": {}, "Q": {}}'
try '{"J": {"a,b": 3}, "vartype": "BINARY"}'
try '{"J": {"a,b": 3}}' --vartype binary
try '{"linear": {"a": 1}, "vartype": "SPIN"}' --vartype binary
try '{"quadratic": [[0, 1.5, 2]]}'
try '{"Q": {"abc": 1}}'
try '{"Q": 7}'
echo '--- no problem'
try '{"name": "x", "size": 7}'
try '{"a": 1, "b": 2}'
try '{"max iterations": 100, "time limit": 5}'
try '17'
try '["a", "b"]'
try '{"type": "Feature", "geometry": null}'
try '[{"quboValue": -12, "solutionVector": [1, 0, 1]}]'
try '{"linear": {"a": 1}} {"linear": {"b": 1}}'
try '{"linear_biases": [1]}
{"linear_biases": [1]}'
printf '2 1\n0 0 -3\n' >p.coo
oa-anneal -q --vartype binary --format coo p.coo >r 2>/dev/null
printf '3 1\n1 2 -3\n' >p.rud
oa-anneal -q p.rud >r
oa-anneal -q r
cat r r >two
oa-anneal -q two
oa-anneal -q --format bqm r
oa-score two
: >nothing
oa-anneal nothing
# A result that only mentions a format is not a problem of it.
echo '{"hubo":[[["a"],-3]]}' >p.hubo
oa-anneal -q p.hubo >r
oa-anneal -q r p.rud | cut -d, -f1
echo '--- names with commas'
try '{"Q": {"('"'a,b', '(c)'"')": -2, "((0, 1), (0, 2))": -3, "x(0,1),x(0,2)": -4}}'
try '{"Q": {"((0, 1), (0, 2)": 1}}'
