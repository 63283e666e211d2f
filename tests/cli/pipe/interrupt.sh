# The first signal lets a tool finish and mark what it wrote, the second ends it at once;
# no temporary file stays.
env --default-signal=INT true 2>/dev/null || { echo "env lacks --default-signal"; exit 77; }
wait_for() {  # until all images are written
  until [ -s "$(ls -A | grep '\.out\.oa\.')" ]; do :; done
}
for signal in INT TERM HUP; do
  env --default-signal=INT make-stream -j 3 --then wait -o out.oa &
  wait_for
  kill -$signal $!
  status wait $!
  oa-view --check out.oa
  rm out.oa
  env --default-signal=INT make-stream --then hang -o out.oa &
  wait_for
  kill -$signal $!
  while kill -$signal $! 2>/dev/null && ls -A | grep -q .; do :; done
  status wait $!
  ls -A
done
# Ignored signals stay ignored (nohup).
nohup make-stream --then wait -o out.oa 2>/dev/null &
wait_for
kill -HUP $!
kill -TERM $!
status wait $!
# In a pipe the mark goes through to the end.
mkfifo in
make-stream --then wait >in &
maker=$!
{ tee came <in; } | oa-view --select 0-2 -o out.oa &
viewer=$!
until [ "$(grep -ao '"oa.kind":"problem"' came 2>/dev/null | wc -l)" = 3 ]; do :; done
kill -TERM $maker
wait $maker
status wait $viewer
status oa-view --check out.oa
