# Invalid command lines: one line each, status 2, nothing read or written.
try() { status oa-view "$@" 2>&1; }
try --bogus
try one two
try --head
try --head -1
try --select
try --select ''
try --select 3-1
try --color
try --check --head 1
try --check --select 1
try --seed 1
echo "--- but help and version are given whatever else is wrong"
oa-view --head x --help | head -n 1
oa-view --bogus -h | head -n 1
oa-view --select x --version
ls -A
