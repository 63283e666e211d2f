# A manifest that another command made is replaced with --force only: results that are
# still to come need it.
printf '2,1,0\n0,-3,1\n0,0,-1\n' >a.csv
printf '5,1,-7\n0,-3,1\n0,0,-1.5\n' >b.csv
mkdir sub
cp b.csv sub/a.csv
oa-cim-pack -q -o x.tar.gz a.csv && cksum x.manifest >before
oa-cim-pack -q -o x.tar.gz a.csv && cksum x.manifest | cmp - before && echo again
try() {
  status oa-cim-pack -q "$@"
  cksum x.manifest | cmp -s - before || echo replaced
}
try -o x.tar.gz b.csv
try -o x.tar.gz sub/a.csv
try -o x.tar.gz --precision best a.csv
try -o y.tar.gz --manifest x.manifest b.csv
echo mine >notes.manifest
status oa-cim-pack -q -o notes.tar.gz a.csv
cat notes.manifest
: >none.manifest
status oa-cim-pack -q -o none.tar.gz a.csv
ls
try -o z.tar.gz --manifest ./z.tar.gz a.csv
try --force -o x.tar.gz b.csv
