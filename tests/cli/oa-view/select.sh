# Images by index, in the order of the stream; missing ones are reported.
make-stream --images 5 --first 10 -o s.oa
oa-view --select 13,10-11 s.oa | oa-view
oa-view --select 10-14 s.oa | cmp - s.oa
status oa-view --select 11,99 s.oa -o part.oa
status oa-view --check part.oa
oa-view -q --select 99 s.oa | oa-view -q
oa-view --select 1-1000000000 s.oa >part.oa
echo "status $?"
oa-view --select 10-14 --head 2 s.oa | oa-view --check
