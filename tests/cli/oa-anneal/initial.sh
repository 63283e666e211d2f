# Reads begin at the vectors of a file, one after the other; cold reads stay there.
printf '# vartype=SPIN\n0 1 -1\n2 3 -1\n' >a.coo
printf '1 1 -1 -1\n-1 ? 1 1\n' >starts
cold() { oa-anneal -q --no-times --solver sa --sweeps 1 --hot 1e-3 --cold 1e-3 "$@" a.coo; }
cold --reads 3 --initial starts --samples ends.csv | sed 's/.*"found_by"/"found_by"/'
cat ends.csv
echo '== one for each of several problems'
cold --initial starts a.coo | wc -l
for how in geometric linear linear-beta; do
  cold --schedule $how | sed 's/.*"energy"/"energy"/; s/,"bound.*//'
done
oa-anneal -q --solver sa --initial starts a.coo a.coo a.coo | wc -l
cold --schedule linear-gamma
