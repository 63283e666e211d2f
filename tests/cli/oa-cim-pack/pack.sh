# Streams become matrices and a manifest: the same bytes whatever -j, and the summary.
make-stream --variables 6 --images 4 -o in.oa
oa-cim-pack -j 1 -o one.tar.gz in.oa 2>one.txt || exit 1
oa-cim-pack -j 3 -o three.tar.gz in.oa 2>three.txt || exit 1
cmp one.tar.gz three.tar.gz
cmp one.manifest three.manifest
cmp one.txt three.txt
cat one.txt
tar tzvf one.tar.gz --utc | head -n 3
tar xzf one.tar.gz
cat mat/5.csv
oa-view --check one.manifest
oa-cim-pack -q --manifest m -o - <in.oa | cmp - one.tar.gz
ls -A
