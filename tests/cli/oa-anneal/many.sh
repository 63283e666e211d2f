# Many problems: one that cannot be read is left out with a message, the others are solved.
printf 'p qubo 0 2 2 1\n0 0 -1\n1 1 -2\n0 1 4\n' >a.qubo
printf 'p qubo 0 1 1 0\n0 0 -7\n' >c.qubo
printf 'p qubo 0 two 2 1\n' >bad.qubo
: >empty.qubo
make-stream --images 1 -o s.oa
short() {
  sed 's/"format.*"energy"/"energy"/; s/,"bound.*"found_by"/,"found_by"/; s/,"proved_by.*//' "$@"
}
try() {
  oa-anneal --no-times "$@" >r
  echo "status $?"
  short r
}
try a.qubo bad.qubo empty.qubo s.oa c.qubo
echo '== the first is bad; -o has all other results'
status oa-anneal -q --no-times bad.qubo a.qubo c.qubo -o out
short out
echo '== one is missing'
try -q a.qubo missing.qubo bad.qubo c.qubo
echo '== none can be read: no file'
status oa-anneal -q --no-times bad.qubo empty.qubo -o none
ls none 2>/dev/null
echo '== the solver refuses one'
printf 'p qubo 0 9000 1 0\n8999 8999 -1\n' >large.qubo
try --json -q --no-presolve --solver exact a.qubo large.qubo c.qubo
echo '== results of readable files are verified, and used as starts'
oa-anneal -q --no-times a.qubo bad.qubo c.qubo >results 2>/dev/null
status oa-anneal --verify results a.qubo bad.qubo c.qubo
try -q --initial results a.qubo bad.qubo c.qubo
echo '== several problems, and one is to be converted'
status oa-anneal --convert coo a.qubo c.qubo
