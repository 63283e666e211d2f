# Single problems to the machine and back: Gset, CSV, a polynomial and a linear program,
# with variables that have values already.  Answers are about the variables of the files.
energy() { grep -o '"energy":[^,]*\|"fixed":[^,]*' "$1"; }
# trip FILE OPTION...: what comes back is the optimum with these values
trip() {
  rm -rf r
  oa-cim-pack -q --force -o m.tar.gz --precision best --fix fix "$@" &&
    oa-cim-sim m.tar.gz -o r --reads 40 &&
    oa-cim-ingest -q m.manifest r >answer
  oa-anneal -q --verify answer "$1" >verified || echo wrong
  oa-anneal -q --no-times --fix fix "$1" >optimum
  energy answer >a && energy optimum | cmp - a && paste -sd ' ' a
}
printf '6 7\n1 2 1\n2 3 2\n3 4 -1\n4 5 2\n5 6 1\n1 6 2\n2 5 -1\n' >own.rud
printf '1 -1\n' >fix && trip own.rud
printf '3,-9,4,1\n0,-2,7,-5\n0,0,-6,2\n0,0,0,8\n' >own.csv
printf '{"0": 1, "3": 0}\n' >fix && trip own.csv
echo '{"hubo":[[[0,1,2],-3],[[1,3],2],[[0],1],[[2],-1],[[3],-2]],"vartype":"BINARY"}' >own.hubo
printf '0 1\n' >fix && trip own.hubo
printf 'minimize\n obj: -5 n + 3 x + [ 2 n ^ 2 + 2 n * x ] / 2\nbounds\n -1 <= n <= 4\ngeneral n\nbinary x\nend\n' >own.lp
printf 'x 1\n' >fix && trip own.lp
# All variables have values: nothing is left for the machine.
printf '1,-2\n0,1\n' >two.csv
printf '0 1\n1 1\n' >all
oa-cim-pack -q --force -o m.tar.gz --fix all two.csv && oa-cim-sim m.tar.gz -o s
oa-cim-ingest -q m.manifest s
oa-cim-ingest -q m.manifest s --missing original --top 2
# An answer that breaks a constraint says which, and the status is 1.
printf 'maximize\n obj: x + y + z\nsubject to\n one: x + y + z <= 1\nbinary x y z\nend\n' >tight.lp
oa-cim-pack -q --force --folder -o m tight.lp
awk -F, '{ for (i = NR; i <= NF; ++i) sum += $i; x = x (NR > 1 ? ", 1" : "1") }
  END { printf "[{\"quboValue\": %.1f, \"solutionVector\": [%s]}]\n", sum, x }' m/0.csv >0.log
oa-cim-ingest m.manifest 0.log 2>&1 >answer | grep violates
oa-cim-ingest -q m.manifest 0.log >answer
echo "status $?"
grep -o '"energy":[^,]*\|"feasible":[a-z]*\|"x":.*' answer
# Options that do not fit together.
status oa-cim-pack -q --force -o m.tar.gz --fix missing two.csv
make-stream --variables 8 --images 1 -o in.oa
status oa-cim-pack --force -o m.tar.gz --fix all in.oa
status oa-cim-pack --force -o m.tar.gz --no-fix in.oa
