# A signal while input is waited for: status 130, silently, and no picture.
env --default-signal=INT true 2>/dev/null || { echo "env lacks --default-signal"; exit 77; }
[ -r /proc/self/status ] || { echo "no /proc to see when a tool listens"; exit 77; }
mkfifo in
exec 3<>in  # a writer that writes nothing
for figure in sparsity 'sparsity --mean' boxplot curves confusion gaps targets levels; do
  env --default-signal=INT oa-heatmap $figure in -o p.png &
  until_it_listens $!
  kill -INT $!
  wait $!
  echo "$figure: status $?"
done
ls -A
