# A stream that is marked incomplete, and streams of different images: drawn, status 1.
s=$DATA/stream/v1/ok
oa-anneal -q "$s/incomplete.oa" -o half.oa
oa-heatmap sparsity --mean half.oa --json -o half.png >half.json
echo "status $?"
cut -c 1-40 half.json
ls half.png
make-stream --kind problem --images 4 --variables 6 -o four.oa
make-stream --kind problem --images 3 --variables 6 -o three.oa
oa-anneal -q --no-times four.oa -o a.oa
oa-anneal -q --no-times three.oa -o b.oa
status oa-heatmap gaps a.oa b.oa --json
