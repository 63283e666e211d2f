# A signal in the middle of a stream: read frames are shown, the rest is reported missing.
mkfifo in
: >out
make-stream --then wait >in &
maker=$!
oa-view in >out &
viewer=$!
until grep -q 'problem 2' out; do :; done
kill -TERM $viewer
status wait $viewer
kill -TERM $maker
status wait $maker
tail -n 1 out
# A cut that was interrupted is a stream, marked.
make-stream --then wait >in &
maker=$!
oa-view --select 0-99 in -o cut.oa &
viewer=$!
until ls -A | grep -q '\.cut\.oa\.'; do :; done
kill -TERM $viewer
status wait $viewer
kill -TERM $maker
wait $maker
oa-view --check cut.oa >said
echo "status $?"
sed 's/,.*//' said  # as many frames as had come
rm said
ls -A
