# A failing system call: status 4 and the file's name.
try() { status oa-view "$@" 2>&1; }
try none
try .
try ''
try none/none
status oa-view 2>&1 <. # a folder as standard input
cp "$DATA/stream/v1/ok/problems.oa" s.oa
try s.oa -o none/out
try s.oa -o .
try s.oa -o new/
try s.oa -o s.oa/x
try s.oa -o ''
try s.oa -o /dev/full
try --head 1 s.oa -o /dev/full
try --check s.oa -o /dev/full
ls -A
