# Every end of a tool has its status, one line, and no leftovers.
for what in finish usage input memory stuck bug; do
  make-stream --then $what -o out.oa 2>&1
  echo "$what: status $?"
  ls -A
done
make-stream -q --then input 2>&1 >/dev/null
echo "status $?"
