# Every command that writes, where the disk is full: status 4, one line, nothing left.
. "$CASE_DIR/inputs"
mkdir disk
mount -t tmpfs -o size=64k tmpfs disk 2>/dev/null || { echo "cannot mount a tmpfs"; exit 77; }
trap 'umount disk' EXIT
head -c 1000000 /dev/zero >disk/filler 2>/dev/null
try() {
  (cd disk && eval "$command") >/dev/full 2>err
  echo "$name: status $?, $(wc -l <err) line of $(sed 's/:.*//' err)"
}
each_case try
ls -A disk
