# The first signal lets a tool finish and mark what it wrote, the second ends it at once;
# no temporary file stays.
env --default-signal=INT true 2>/dev/null || { echo "env lacks --default-signal"; exit 77; }
wait_for() {
  until ls -A | grep -q '\.out\.oa\.'; do :; done
}
for signal in INT TERM HUP; do
  env --default-signal=INT make-stream -j 3 --then wait -o out.oa &
  wait_for
  kill -$signal $!
  wait $!
  echo "status $?"
  oa-view --check out.oa
  rm out.oa
  env --default-signal=INT make-stream --then hang -o out.oa &
  wait_for
  kill -$signal $!
  while kill -$signal $! 2>/dev/null && ls -A | grep -q .; do :; done
  wait $!
  echo "status $?"
  ls -A
done
# What was ignored stays ignored (nohup).
nohup make-stream --then wait -o out.oa 2>/dev/null &
wait_for
kill -HUP $!
kill -TERM $!
wait $!
echo "status $?"
# In a pipe the mark goes through to the end.
mkfifo in
make-stream --then wait >in &
maker=$!
oa-view --select 0-2 in -o out.oa &
viewer=$!
wait_for
kill -TERM $maker
wait $maker
wait $viewer
echo "status $?"
oa-view --check out.oa
echo "status $?"
