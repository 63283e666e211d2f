# A line for each task: what came back, what is optimal, and the gap in the units of the
# file and in levels of the packed matrix.
exec 2>&1
printf '4 4\n1 2 3\n2 3 1\n3 4 2\n1 4 2\n' >cut.rud
printf '0.5,-2,0\n0,1.25,-2\n0,0,1\n' >q.csv
oa-cim-pack -q -o m.tar.gz cut.rud q.csv cut.rud
oa-cim-sim m.tar.gz -o r --reads 8
rm r/m0-2_03.*
# The worst of the solutions alone.
python3 - <<'END'
import json
for name in ("r/m0-2_01.log", "r/m0-2_02.log"):
    shots = json.load(open(name))
    json.dump(shots[-1:], open(name, "w"))
END
rm r/m0-2_0[12].pdf
status oa-cim-ingest -q m.manifest r --tasks
oa-cim-ingest m.manifest r --tasks --missing skip -o answers | grep -v time
grep -o '"energy":[^,]*' answers
# Unproved problems have a bound; large problems are proved if that takes little work.
awk 'BEGIN { print 320, 320; for (i = 1; i <= 320; ++i) print i, i % 320 + 1, i }' >large.rud
awk 'BEGIN { srand(1); print 310, 4000; for (e = 0; e < 4000; ++e) { i = e % 310; print i + 1, (i + 1 + int(e / 310)) % 310 + 1, 1 - 2 * (int(e * e / 7) % 2) } }' >hard.rud
oa-cim-pack -q -o h.tar.gz hard.rud large.rud
oa-cim-sim h.tar.gz -o h --reads 1
oa-cim-ingest -q h.manifest h --tasks |
  sed 's/<=[0-9.]*/<=BOUND/g; s/  */ /g; s/^\( [01] 1\) [0-9]*/\1 ENERGY/; s/51360 [^ ]* [^ ]* 0/51360 GAP LEVELS 0/'
# Problems that share a task, a number for each image.
make-stream --variables 5 --images 2 --queries 3 -o in.oa
oa-cim-pack -q --precision best --merge -o s.tar.gz in.oa
oa-cim-sim s.tar.gz -o s --reads 8
oa-cim-ingest -q s.manifest s --tasks | sed 's/  *$//'
# An answer that satisfies all constraints has the energy of its file, though the
# auxiliary variables of the machine are not at their best.  Lines of JSON have numbers.
printf 'maximize\n 5 a + 4 b + 3 c\nst\n 2 a + 3 b + c <= 5\nbinary\n a b c\nend\n' >k.lp
printf '{"h":{"a":1},"J":{"a,b":-1}}\n{"hubo":[[["a","b","c"],-2]]}\n' >l.jsonl
oa-cim-pack -q -o c.tar.gz k.lp l.jsonl
oa-cim-sim c.tar.gz -o c --reads 8
python3 - <<'END'
import json
name = "c/c0-2_01.log"
shots = json.load(open(name))
json.dump(shots[5:6], open(name, "w"))
END
rm c/c0-2_01.pdf
oa-cim-ingest -q c.manifest c --tasks -o answers
grep -o '"energy":[^,]*\|"feasible":[a-z]*' answers
oa-anneal --verify answers k.lp l.jsonl | cut -d, -f1,4-
