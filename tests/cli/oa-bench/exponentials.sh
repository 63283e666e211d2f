# Which exponentials are compared; their errors are in the unit tests.
command -v jq >/dev/null || { echo "no jq"; exit 77; }
oa-bench --exponentials --n 64,32,64 --json >errors.json
jq -c 'keys, .range, (.exponentials[0]|keys), (.exponentials[0].uses[0]|keys)' errors.json
jq -c '.exponentials[]|[.method,.size,.multiplications,.others,.reads]' errors.json
jq -c '.exponentials[]|[.uses[]|[.n,.spread,.sums>0,.outputs>0]]' errors.json | uniq -c | sed 's/^ *//'
# The same numbers again, and the form of the tables.
oa-bench --exponentials --n 64,32 --json | cmp - errors.json && echo same
oa-bench --exponentials --n 32 | sed 's/[0-9]\.[0-9]e[-+][0-9]*/#/g; s/  */ /g'
status oa-bench --exponentials --n 65537
