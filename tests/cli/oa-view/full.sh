# A full disk, a closed standard stream: status 4, never a short file called done.
s=$DATA/stream/v1/ok/problems.oa
oa-view $s >/dev/full
echo "status $?"
oa-view --head 1 $s >/dev/full
echo "status $?"
oa-view --check $s >/dev/full
echo "status $?"
oa-view --help >/dev/full
echo "status $?"
oa-view --version >/dev/full
echo "status $?"
make-stream --images 3000 >/dev/full
echo "status $?"
oa-view $s >&-
echo "status $?"
oa-view --help >&-
echo "status $?"
oa-view <&-
echo "status $?"
oa-view none 2>&-
echo "status $?"
# With all three closed no file that is opened takes their place.
oa-view $s -o out.txt <&- >&- 2>&-
echo "status $?"
oa-view $s | cmp - out.txt
