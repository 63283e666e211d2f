# A stream marked incomplete: read, warned of, passed on, status 1.
cp "$DATA/stream/v1/ok/incomplete.oa" s.oa
s=s.oa
oa-view $s | tail -n 1
oa-view $s >out
echo "status $?"
oa-view -q $s >out
echo "status $?"
oa-view --select 22 $s >part.oa
echo "status $?"
status oa-view --check part.oa
cat part.oa "$DATA/stream/v1/ok/problems.oa" | status oa-view --check
