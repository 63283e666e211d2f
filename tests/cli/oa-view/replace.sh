# A file that is replaced keeps its permissions, a link stays a link, and an error keeps
# the old file.
s=$DATA/stream/v1/ok/problems.oa
mkdir sub
echo old >sub/real
chmod 604 sub/real
ln -s sub/real link
ln -s sub/later dangling
umask 027
oa-view $s -o link
oa-view $s -o dangling
oa-view $s -o new
ls -lA . sub | sed -n 's/^\([-l][-rwx]*\).* \([a-z]*\)\( ->.*\)\{0,1\}$/\1 \2\3/p'
for file in sub/real sub/later new; do oa-view $s | cmp - $file; done
oa-view $s >expected
head -c 1000 $s | status oa-view -o new 2>&1
cmp expected new
ls -A
