# A signal while input is waited for: status 130, silently, and no picture.
env --default-signal=INT true 2>/dev/null || { echo "env lacks --default-signal"; exit 77; }
# The signals that a tool blocks when it waits for them: HUP, INT, TERM and URG.  An emulator
# blocks more on the way.
listens='^SigBlk:.*[^1-9a-f]404003$'
[ -r /proc/self/status ] || { echo "no /proc to see when a tool listens"; exit 77; }
mkfifo in
exec 3<>in  # a writer that writes nothing
for figure in sparsity 'sparsity --mean' boxplot curves confusion gaps targets levels; do
  env --default-signal=INT oa-heatmap $figure in -o p.png &
  until grep -q "$listens" /proc/$!/status; do :; done
  kill -INT $!
  wait $!
  echo "$figure: status $?"
done
ls -A
