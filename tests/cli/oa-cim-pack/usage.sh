# Invalid or impossible commands: one line each, and no leftovers.
make-stream --variables 6 -o in.oa
try() {
  oa-cim-pack "$@" 2>&1 >/dev/null
  echo "status $?"
}
try in.oa
try --folder in.oa
try --tasks-per-upload 20 in.oa
try --folder --tasks-per-upload 20 -o x in.oa
try --machine abacus -o x.tar.gz in.oa
try --machine cpqc-100 --spins 7 -o x.tar.gz in.oa
try --bits 15 -o x.tar.gz in.oa
try --name a/b -o x.tar.gz in.oa
try --precision exactly -o x.tar.gz in.oa
try --spins 6 -o x.tar.gz in.oa
try -o x.tar.gz nowhere.oa
try -o no/x.tar.gz in.oa
head -c 700 in.oa >cut.oa
try -o x.tar.gz cut.oa
status oa-cim-pack -q -o /dev/full --manifest m in.oa
ls -A
