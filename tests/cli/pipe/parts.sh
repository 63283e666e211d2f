# Streams are joined by cat, in any number; shards joined in order are the whole.
make-stream --images 6 -o all.oa
make-stream --images 2 -o a.oa
make-stream --images 4 --first 2 -o b.oa
cat a.oa b.oa >ab.oa
oa-view --check ab.oa
oa-view ab.oa | grep problem >parts
oa-view all.oa | grep problem | cmp - parts
oa-view --select 1-2 ab.oa | oa-view | grep -c -e head -e problem
cat ab.oa ab.oa ab.oa | oa-view --check
gzip -n -k a.oa b.oa
cat a.oa.gz b.oa.gz | oa-view --check
cat a.oa b.oa.gz | oa-view --check 2>&1 | cut -c1-60
echo "status $?"
cat a.oa.gz b.oa | status oa-view --check
