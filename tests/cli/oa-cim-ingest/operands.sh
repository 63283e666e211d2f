# A file that is not a manifest is refused, with the expected one.
exec 2>&1
printf '3 3\n1 2 1\n2 3 1\n1 3 -2\n' >g.rud
oa-cim-pack -q -o m.tar.gz g.rud
oa-cim-sim m.tar.gz -o r
tar cf r.tar r
make-stream --variables 4 --images 1 --queries 2 -o in.oa
for first in m.tar.gz r r.tar r/m0-0_01.log r/m0-0_01.pdf g.rud in.oa nowhere; do
  status oa-cim-ingest $first m.manifest
done
# Messages about results of another pack, of other options, and of a changed energy.
printf '1,-2\n0,1.5\n' >q.csv
oa-cim-pack -q -o q.tar.gz q.csv && oa-cim-sim q.tar.gz -o q
oa-cim-ingest -q m.manifest q
oa-cim-pack -q --precision vendor --bits 5 -o v.tar.gz q.csv && oa-cim-sim v.tar.gz -o v
sed 's/"quboValue": [^,]*/"quboValue": -999999/' q/*.log >changed.log
echo '[{"quboValue": 1, "solutionVector": [1, 1, 1, 1, 1]}]' >size.log
oa-cim-ingest q.manifest v changed.log size.log 2>&1 | grep warning
