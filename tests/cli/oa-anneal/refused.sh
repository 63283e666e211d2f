# Options, results and problems that do not fit together: one line, status 2 or 3.
printf '3 3\n1 2 1\n2 3 -2\n1 3 4\n' >a.rud
make-stream --images 1 -o s.oa
oa-anneal -q --no-times a.rud >r
cat r r >two
: >none
try() { status oa-anneal -q --no-times "$@"; }
try --verify two a.rud
try --verify none a.rud
try --verify r a.rud a.rud
try --initial two a.rud
try --trace t s.oa
try --format gset s.oa
try a.rud s.oa
try --coefficients continuous a.rud
try --convert qubo a.rud a.rud
try --convert qubo --verify r a.rud
try --solver none a.rud
try --target 5 --solver exact a.rud s.oa
try --target nan a.rud
try --fix "" a.rud
ls -A
echo '--- two outputs in one file'
try -o b --trace ./b a.rud
try -o b --samples b --solver sa a.rud
try -o b --json=b a.rud
ls -A
