# SIGINT, SIGTERM and SIGHUP while input is waited for: status 130, at once and silently.
# A shell's background jobs ignore SIGINT; env makes it do what it does by default.
env --default-signal=INT true 2>/dev/null || { echo "env lacks --default-signal"; exit 77; }
[ -r /proc/self/status ] || { echo "no /proc to see when a tool listens"; exit 77; }
mkfifo in
exec 3<>in  # a writer that writes nothing
for signal in INT TERM HUP; do
  for options in '' --check '--head 3 -o out.oa' --json; do
    env --default-signal=INT oa-view $options in &
    until_it_listens $!
    kill -$signal $!
    wait $!
    status=$?
    [ $status = 130 ] || echo "$signal $options: status $status"
  done
done
exec 3>&-
# Without a writer, too.
env --default-signal=INT oa-view in &
until_it_listens $!
kill -INT $!
status wait $!
ls -A
