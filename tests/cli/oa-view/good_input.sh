# Every good file is described and checked, from a file, from standard input and
# compressed; status 0, or 1 if it says that it is incomplete.
bad=0
complain() {
  echo "$*"
  bad=1
}
# Not the problems: oa-anneal reads those.
for file in "$DATA"/[!p]*/v1/ok/*; do
  name=${file##*/}
  expected=0
  [ "$name" != incomplete.oa ] || expected=1
  for how in '' --json -v '-v --json' --check; do
    oa-view -q $how "$file" >out 2>err
    status=$?
    [ $status = $expected ] || complain "$name $how: status $status"
    [ -s out ] || complain "$name $how: no output"
    [ ! -s err ] || complain "$name $how: $(cat err)"
    [ "$how" != --check ] || continue  # which names the file
    oa-view -q $how <"$file" >stdin
    cmp -s out stdin || complain "$name $how: differs from standard input"
    case $name in
      *.gz) ;;
      *)
        gzip -c "$file" | oa-view -q $how - >packed
        cmp -s out packed || complain "$name $how: differs when compressed"
        ;;
    esac
  done
done
exit $bad
