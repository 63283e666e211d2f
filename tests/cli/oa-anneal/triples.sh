# Lines of three numbers may be terms or a matrix: an ambiguous file is refused, whatever
# the file is called.
try() {
  printf -- "$2" >"$1"
  shift 2
  oa-anneal -q --no-times "$@" 2>&1 | sed 's/"seconds.*"x"/"x"/; s/"sense.*"energy/"energy/; s/"bound.*"x"/"x"/'
}
same='0 1 15\n1 2 -11\n2 2 -1.5\n'
commas='0,1,15\n1,2,-11\n2,2,-1.5\n'
try e.txt "$same" e.txt
status oa-anneal -q e.txt 2>/dev/null
try e.csv "$commas" e.csv
try e.coo "$same" e.coo
try e.txt "$same" e.txt --format coo --vartype binary
try e.txt "$same" e.txt --format txt
try e.csv "$commas" e.csv --format coo --vartype binary
try e.csv "$commas" e.csv --format csv
echo "--- with names"
try n.csv 'i,j,w\n0,1,15\n1,2,-11\n2,2,-1.5\n' n.csv
try n.csv 'i,j,w\n0,1,15\n1,2,-11\n2,2,-1.5\n' n.csv --format coo --vartype binary
echo "--- one reading only"
try m.txt '0 1 15\n1 2.5 -11\n2 2 -1.5\n' m.txt
try l.csv 'source,target,weight\n0,1,15\n1,2,-11\n2,3,-1.5\n0,3,2\n' l.csv --vartype binary
try bad.csv '0,1,15\n1,2,-11\n2,3,-1.5\n0,3,2\n1,1\n' bad.csv --vartype binary
try bad.csv '1.5,1,15\n1,2,-11\n2,3,-1.5\n0,3,2\n1,1,5\n' bad.csv
printf "$commas" | oa-cim-pack -o m.tar.gz
