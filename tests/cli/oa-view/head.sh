# The first images as a stream of their own.
make-stream --images 5 -o s.oa
for n in 0 1 4 5 9; do
  oa-view --head $n s.oa | oa-view --check
done
oa-view --head 9 s.oa | cmp - s.oa
oa-view --head 2 s.oa -o two.oa
oa-view --head 2 --json s.oa | tr ',' '\n' | tail -n 2
oa-view --head 1 -v s.oa | grep -c '^problem'
# Later input is not read.
cat two.oa >broken.oa
head -c 2000 s.oa >broken.oa
oa-view --head 1 broken.oa | oa-view --check
# A file does not replace itself.
oa-view --head 1 two.oa -o two.oa 2>&1 || oa-view --check two.oa
oa-view --head 1 "$DATA/npy/v1/ok/rows.npy" -o no.oa 2>err || echo "status $?"
ls -A
