# A file system that is really full: status 4, nothing left, what was there kept.
mkdir disk
mount -t tmpfs -o size=64k tmpfs disk 2>/dev/null || { echo "cannot mount a tmpfs"; exit 77; }
trap 'umount disk' EXIT
echo before >disk/s.oa
status make-stream --images 1000 -o disk/s.oa
make-stream --images 1000 >disk/direct.oa
echo "status $?"
rm disk/direct.oa
ls -A disk
cat disk/s.oa
