# A stream that breaks off in the middle of a pipe is an error at every place behind it,
# wherever it breaks.
make-stream --images 2 -o s.oa
size=$(wc -c <s.oa)
for part in 0 1 7 8 50 100 1000 $((size - 1)); do
  head -c $part s.oa | oa-view --select 0-9 2>first | oa-view --check 2>second
  echo "$part: status $?"
  cat first second
done
# A tool that fails marks its stream, and the readers are silent.
make-stream --then input 2>/dev/null | status oa-view --check
make-stream --then bug 2>/dev/null | status oa-view --check
# With -o nothing appears.
head -c 1000 s.oa | status oa-view --select 0-9 -o cut.oa
ls -A
