# Files of Python programs that are of no format; tests/python/test_formats.py has good ones.
try() {
  printf "$1" >"$2"
  status oa-anneal "$2"
}
try ',a,b\na,1,2\nc,3,4\n' t.csv
try 'a,b\n1,2\n' t.csv
try 'a,a\n1,2\n3,4\n' t.csv
try '1 2.5\n3\n' t.txt
try '{"linear":{"a":1},"quadratic":{"a":{"a":1}}}' t.json
try '{"linear":{"a":1},"quadratic":{"abc":1}}' t.json
try '{"linear":{"a":"x"},"quadratic":{}}' t.json
try '{"linear":{"a":1},"vartype":"TRIT"}' t.json
try '{"linear":{},"quadratic":{}}' t.json
status oa-anneal --convert npz t.json
