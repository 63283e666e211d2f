# The form of the matrices is that of the manifest beside them; without one, matrices that
# may be of either form are refused.
exec 2>&1
printf '6 7\n1 2 1\n2 3 2\n3 4 -1\n4 5 3\n5 6 1\n1 6 2\n2 5 1\n' >g.rud
printf '1,-2\n0,1\n' >q.csv
form() {
  rm -rf r
  oa-cim-sim "$@" -o r --reads 4
  status=$?
  [ $status -ne 0 ] || head -c 75 r/*.log
  echo " status $status"
}
for format in qubo ising; do
  oa-cim-pack -q --format $format -o $format.tar.gz g.rud
  oa-cim-pack -q --format $format --folder -o $format g.rud
  form $format.tar.gz
  form $format/
  oa-cim-ingest -q $format.manifest r --tasks
done
echo '-- without the manifest'
mv ising.tar.gz alone.tar.gz
form alone.tar.gz
form alone.tar.gz --format ising
form qubo.tar.gz --format qubo
oa-cim-pack -q -o q.tar.gz q.csv && mv q.tar.gz w.tar.gz && form w.tar.gz
echo '-- not the stated form'
form qubo.tar.gz --format ising
cp qubo.manifest alone.manifest && form alone.tar.gz
cp ising.manifest w.manifest && form w.tar.gz
mkdir uneven && printf -- '-0.0,3\n2,0\n' >uneven/0.csv && form uneven --format ising
form g.rud
