# A file of several formats needs --format; malformed input is refused with its line.
try() { status oa-anneal --no-times "$@" 2>&1; }
printf '2 1\n1 2 3\n' >graph
try graph
try --format gset graph -q
try --format biqmac graph -q
try --format bq graph -q
printf '2 2\n1 1 -3\n1 2 -2\n' >matrix
try matrix
for name in a.sparse a.bq; do cp matrix $name; try $name -q; done
printf '0 1 -3\n' >open.coo
try open.coo
try --vartype spin open.coo -q
try --sense max --format gset graph
try --format qubo graph
try --convert bqm --verify graph graph
printf 'hello world\n' | try
