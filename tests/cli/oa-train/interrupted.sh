# Files of a training that ends early, and of an earlier one.
env --default-signal=INT,TERM true 2>/dev/null || { echo "env lacks --default-signal"; exit 77; }
oa-digits -q -o d --train 300 --test 20 || exit 1
small='--patch 7 --dim 16 --held-out 50 -j 1'
begin() { env --default-signal=INT,TERM oa-train $data $small --log log "$@" 2>said & }
until_log_has() { until grep -q "$1" log 2>/dev/null; do sleep 0.02; done; }
# Messages beside the lines of epochs and the summary.
finish() {
  status wait $!
  sed -n '/^oa-train:/s/epoch [0-9][0-9]*/epoch N/gp' said
  rm -f log
}
echo '== before the first epoch has ended: existing files stay'
# An epoch of some seconds, so that the signal comes before its end on a loaded machine.
oa-digits -q -o long --train 20000 --test 20 || exit 1
data=long
echo old >model.bin
begin -o model.bin --batch 1 --epochs 9 --checkpoint run.ckpt
until_log_has step
kill -INT $!
finish
cat model.bin
status oa-train --resume run.ckpt --epochs 0 -o best.bin
ls

data=d
echo '== later: the best so far; Slurm sends SIGTERM'
begin -o model.bin --batch 10 --epochs 500
until_log_has epoch
kill -TERM $!
finish
oa-view --check model.bin
echo '== of several seeds'
begin -o m.bin --batch 10 --epochs 500 --seeds 3-5 --checkpoint s.ckpt --json=summary
until_log_has epoch
kill -INT $!
finish
ls m.* s.*
grep -o '"complete":[a-z]*' summary
oa-train --resume s.3.ckpt --epochs 0 -o best.bin 2>&1 | sed 's/[0-9.][0-9.]*/N/g'
cmp m.3.bin best.bin && echo same

echo '== a checkpoint is continued, or it stays'
oa-train -q d $small -o a.bin --batch 10 --epochs 2 --checkpoint a.ckpt || exit 1
cp a.ckpt kept.ckpt
status oa-train -q d $small -o b.bin --batch 10 --epochs 1 --checkpoint a.ckpt --log log
status oa-train -q d $small -o b.bin --batch 10 --epochs 1 --checkpoint s.ckpt --seeds 3-4
cp a.ckpt other.ckpt
status oa-train -q d $small -o b.bin --batch 10 --epochs 3 --checkpoint other.ckpt --resume a.ckpt
ls b.bin log 2>&1
cmp a.ckpt kept.ckpt && echo kept
oa-train d -q $small -o b.bin --batch 10 --epochs 3 --checkpoint a.ckpt --resume ./a.ckpt && echo continued
echo 'another file' >text
oa-train d -q $small -o b.bin --batch 10 --epochs 1 --checkpoint text && oa-view --check text
for twice in '--checkpoint ./b.bin' '--log log --csv log' '--log b.ckpt --checkpoint b.ckpt'; do
  status oa-train d -q $small -o b.bin --epochs 1 $twice
done

echo '== without a training these have no effect'
oa-train d --resume a.ckpt --epochs 0 -o best.bin
oa-train --lr 1 --resume a.ckpt --epochs 0 -o best.bin
oa-train --resume none.ckpt --epochs 0 -o best.bin
oa-train --resume a.ckpt --epochs 0 -o a.ckpt
oa-train --resume a.bin --epochs 0 -o best.bin
status oa-train d -o best.bin --epochs 0
