# A function of a program is recovered, told, written and proved.
cat >p.lp <<'END'
Minimize
 obj: -5 a - 4 b - 3 c - 7 d - 6 f - 2 g - 9 h - 8 i - 4 j - 7 k - 3 l - 6 m - 5 n
 + [ 6 a * b - 4 c * d ] / 2
Subject To
 c1: 2 a + 3 b + c + 4 d + 3 f + 5 g + 4 h + 6 i + 2 j + 3 k + l + 3 m + 2 n <= 15
 c2: a + b + c + d + f + h <= 3
Binary
 a b c d f g h i j k l m n
End
END
oa-anneal -q --convert qs --drop-names p.lp -o q.qs
oa-view q.qs
oa-anneal -q --convert lp q.qs -o r.lp
cat r.lp
for file in p.lp q.qs r.lp; do
  oa-anneal -q $file | grep -o '"energy":[^,]*\|"proved_optimal":[^,]*\|"recovered":.*},'
done
oa-anneal -q --convert lp p.lp
printf '2 1\n1 2 3\n' >g.rud
oa-anneal -q --convert lp g.rud
# The program has the optimum of the function only if penalties suffice.
oa-anneal --convert lp q.qs -o r.lp
awk '!/^#/ && NF == 3 { $3 = -$3 } 1' q.qs >m.qs
oa-anneal -q --convert lp --sense max m.qs | awk '/^Max|^ c|x9$/'
oa-anneal -q --convert lp --no-recover q.qs | awk '/^Min|^ c/'
oa-anneal --convert qs --no-recover q.qs
