# In a pipe only the first tool that fails prints a line: later tools end with status 3, silently,
# and writes nothing.
exec 2>&1
oa-qubo missing.bin missing.idx | oa-anneal | oa-score
echo "status $?"
make-stream --images 2 -o s.oa
make-stream --images 2 --then input | oa-anneal -q --no-times -o solved.oa
echo "status $?"
make-stream --images 2 --then input | oa-anneal -q | oa-view --check
echo "status $?"
# Also in place of single problems or archives, and through a named pipe.
cat missing.csv 2>/dev/null | status oa-cim-pack -o m.tar.gz
mkfifo named
: >named &
status oa-score named
wait
ls -A
# The reader of a silently cut stream reports it, in a pipe or not.
status oa-score </dev/null
head -c 1000 s.oa | oa-anneal -q >/dev/null
echo "status $?"
head -c 1000 s.oa >cut.oa
oa-anneal -q cut.oa | oa-view --check
echo "status $?"
# The output of a failed run is not a stream.
make-stream --images 2 --then input 2>/dev/null | cat >kept.oa
status oa-view --check kept.oa
