# Coefficients that are whole levels, or multiples of a unit, are packed without rounding.
exec 2>&1
look() {
  oa-cim-pack --json=s -q --force --folder -o m "$@" && python3 -c 'import json
r = json.load(open("s"))
print(*(f"{k} {r[k]}" for k in ("scale_max", "not_rounded", "worst_error", "kept_every", "spins_max", "auxiliary_spins")))'
  cat m/0.csv 2>/dev/null
}
# The largest level is 119: not scaled to 127.
printf -- '-476,-8,0\n0,-84,24\n0,0,40\n' >fits.csv
look fits.csv
cp m/0.csv packed.csv
look packed.csv
look --precision best --no-fix fits.csv
look --precision vendor fits.csv
echo '-- small numbers, large ones with a common unit, and numbers of many digits'
printf '1,-2,0\n0,1,-2\n0,0,1.5\n' >small.csv && look small.csv
printf '1000,-2000,0\n0,3000,-4000\n0,0,1000\n' >large.csv && look large.csv
printf '1,-2,0\n0,1,-2\n0,0,1.0009\n' >many.csv && look many.csv
look --bits 4 small.csv
echo '-- a graph of six vertices fits six spins'
printf '6 7\n1 2 1\n2 3 2\n3 4 -1\n4 5 3\n5 6 1\n1 6 2\n2 5 1\n' >g.rud
look --spins 6 --format ising g.rud
status oa-cim-pack --force --spins 5 --folder -o m g.rud
oa-cim-pack --spins 6 -o g.tar.gz g.rud
oa-cim-sim g.tar.gz -o r && oa-cim-ingest -q g.manifest r --missing original >answer
oa-anneal --verify answer g.rud | grep -o '"verified":[a-z]*\|"energy":[^,]*'
oa-cim-ingest -q g.manifest r --tasks
