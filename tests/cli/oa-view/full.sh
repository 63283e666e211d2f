# A full disk, a closed standard stream: status 4, never a short file called done.
s=$DATA/stream/v1/ok/problems.oa
for command in "oa-view $s" "oa-view --head 1 $s" "oa-view --check $s" 'oa-view --help' 'oa-view --version' \
  'make-stream --images 3000'; do
  $command >/dev/full
  echo "status $?"
done
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
