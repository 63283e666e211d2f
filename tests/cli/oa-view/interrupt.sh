# SIGINT, SIGTERM and SIGHUP while input is waited for: status 130, at once and silently.
# A shell's background jobs ignore SIGINT; env makes it do what it does by default.
env --default-signal=INT true 2>/dev/null || { echo "env lacks --default-signal"; exit 77; }
# The signals that a tool blocks when it waits for them: HUP, INT, TERM and URG.  An emulator
# blocks more on the way.
listens='^SigBlk:.*[^1-9a-f]404003$'
[ -r /proc/self/status ] || { echo "no /proc to see when a tool listens"; exit 77; }
mkfifo in
exec 3<>in  # a writer that writes nothing
for signal in INT TERM HUP; do
  for options in '' --check '--head 3 -o out.oa' --json; do
    env --default-signal=INT oa-view $options in &
    until grep -q "$listens" /proc/$!/status; do :; done
    kill -$signal $!
    wait $!
    status=$?
    [ $status = 130 ] || echo "$signal $options: status $status"
  done
done
exec 3>&-
# Without a writer, too.
env --default-signal=INT oa-view in &
until grep -q "$listens" /proc/$!/status; do :; done
kill -INT $!
status wait $!
ls -A
