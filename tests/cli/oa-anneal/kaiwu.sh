# Ising matrices of the Kaiwu SDK; tests/python/test_formats.py has random ones.
# What the site would refuse is refused here, with the place.
refused() { status oa-cim-pack --folder --force -q --precision exact --input-format kaiwu -o up "$@"; }
printf '0,1.5,2\n1.5,0,3\n2,3,0\n' >m.csv && refused m.csv
printf '0,1,2\n1,0,128\n2,128,0\n' >m.csv && refused m.csv
printf '0,1,2\n1,0,3\n' >m.csv && refused m.csv
printf '0,1,2\n1,0,3\n2,3\n' >m.csv && refused m.csv
printf '0,1,2\n1,0,3\n2,4,0\n' >m.csv && refused m.csv
printf '0,1,2\n1,0,x\n2,4,0\n' >m.csv && refused m.csv
printf '0,1,2\n1,0,nan\n2,nan,0\n' >m.csv && refused m.csv
printf '0\n' >m.csv && refused m.csv
printf '0,1,2\n1,0,3\n2,3,0\n' >m.csv && refused --spins 2 m.csv
printf '0,1,2\n1,0,8\n2,8,0\n' >m.csv && refused --bits 4 m.csv
oa-anneal -q --format kaiwu --vartype binary m.csv
oa-anneal -q --format kaiwu --sense max --no-times m.csv | grep -o '"energy":[^,]*'
printf 'a,b\n1,2\n0,1\n' >n.csv
oa-anneal --convert kaiwu n.csv
oa-anneal --convert kaiwu --drop-names n.csv
