# The same bytes whatever the number of threads, in every run; other seeds, other bytes.
for kind in problem solution; do
  make-stream --kind $kind --images 200 -j 1 -o one.oa
  for j in 2 3 8; do
    make-stream --kind $kind --images 200 -j $j | cmp - one.oa
  done
  make-stream --kind $kind --images 200 | cmp - one.oa
  make-stream --kind $kind --images 200 --seed 2 | cmp -s - one.oa || echo "another seed"
  oa-view --check one.oa
done
# Output before an error is the same, too.
make-stream --images 200 -j 1 --then input | cat >one.oa
make-stream --images 200 -j 3 --then input | cmp - one.oa
