# Input that cannot be drawn: one line, status 3 or 4, no picture; an old file stays.
fails() {
  echo before >p.png
  status oa-heatmap "$@" -o p.png
  ls | grep -e png; cat p.png
}
make-stream --kind problem -o problem.oa
make-stream --kind solution -o solution.oa
head -c 3000 solution.oa >cut.oa
: >empty
echo 'pred,logits_0' >rows.csv
echo 'label,logits_0' >columns.csv
printf 'label,pred,logits_0\n0,0,nan\n' >nan.csv
printf 'label,pred,logits_0\n1,0,1\n' >class.csv
printf '{"type":"epoch","epoch":1}\n{"type":"epo\n{"type":"epoch","epoch":2}\n' >broken.jsonl
printf '{"type":"step"}\n' >lacks.jsonl
printf '1,2\n3\n' >ragged.csv
printf '1,2\n0,0.5\n' >half.csv
printf '1,1\n0,1\n' >levels.csv
mkdir none
fails sparsity problem.oa
oa-heatmap sparsity solution.oa >/dev/full
echo "status $?"
fails sparsity --mean cut.oa
fails sparsity empty
fails sparsity nowhere.oa
cp "$DATA/idx/v1/ok/no-images.idx" .
fails sparsity solution.oa --images no-images.idx
fails boxplot rows.csv
fails boxplot columns.csv
fails boxplot nan.csv
printf 'label,pred,logits_0\n0,0,12.5\n' >logits.csv
fails boxplot logits.csv
fails confusion class.csv
fails curves broken.jsonl
fails curves lacks.jsonl
fails curves empty
make-stream --kind problem --variables 6 -o p.oa
oa-anneal -q --solver greedy p.oa -o unproved.oa
fails gaps unproved.oa
make-stream --kind solution --seed 2 -o other.oa
fails gaps solution.oa other.oa
result='"file":"G","sense":"max","energy":9,"seconds"'
echo "{$result:-1}" >negative.jsonl
fails targets negative.jsonl
echo "{$result:null}" >none.jsonl
fails targets none.jsonl
echo "{$result:1}" >G.jsonl
echo "{$result:1}" | sed 's/"G"/"H"/' >H.jsonl
fails targets G.jsonl H.jsonl
echo "{$result:1}" | sed 's/max/min/' >min.jsonl
fails targets G.jsonl min.jsonl
echo "{$result:1}" | sed 's/"file"/"problem":"5a",&/' >first.jsonl
sed 's/5a/5b/' first.jsonl >changed.jsonl
fails targets first.jsonl changed.jsonl
fails targets G.jsonl first.jsonl changed.jsonl
echo '{"energy":9,"seconds":1}' | fails targets
fails targets empty
fails levels ragged.csv
fails levels half.csv
fails levels levels.csv
fails levels none
