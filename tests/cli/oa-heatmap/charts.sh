# The figures of tables, logs, several streams and matrices: their numbers, and how
# number of elements of a colour in an SVG.
cat >a.csv <<END
idx,label,pred,correct,logits_0,logits_1
0,0,0,True,0.9,0.1
1,0,0,True,0.8,0.2
2,0,1,False,0.25,0.75
3,1,1,True,0.4,0.6
END
cat >b.csv <<END
prediction,logit_0,logit_1,label
0,1,0,0
0,1,0,
END
colored() {
  grep -c "fill:rgb($1%,$2%,$3%)" "$4"
}
oa-heatmap boxplot a.csv b.csv --json
oa-heatmap boxplot a.csv b.csv --outliers -o boxes.svg
echo "$(colored 0 44.705882 69.803922 boxes.svg) blue areas"  # the key
oa-heatmap confusion a.csv --json
oa-heatmap confusion a.csv
cat >run.jsonl <<END
{"type":"step","seed":1,"epoch":1,"step":5,"train_loss":2.5,"train_accuracy":0.1}
{"type":"epoch","seed":1,"epoch":1,"step":9,"train_loss":2,"train_accuracy":0.3,"test_loss":1.5,"test_accuracy":0.4,"best":true}
{"type":"epoch","seed":1,"epoch":2,"step":18,"train_loss":1,"train_accuracy":0.5,"test_loss":1.25,"test_accuracy":null,"best":true}
{"type":"epoch","seed":2,"epoch":1,"step":9,"train_loss":3,"train_accuracy":0.2,"validation_loss":2.5,"validation_accuracy":0.3,"best":true}
END
oa-heatmap curves run.jsonl --json
head -c 300 run.jsonl | oa-heatmap curves --json
echo '{"train_loss":[2,1],"train_acc":[0.5,0.75],"test_acc":[0.5]}' | oa-heatmap curves --json
oa-heatmap curves run.jsonl --log --smooth 2 | head -n 5
oa-heatmap curves run.jsonl --steps --json
make-stream --kind problem --images 4 --variables 12 -o p.oa
for solver in exact greedy; do
  oa-anneal -q --no-times --solver $solver p.oa -o $solver.oa
done
oa-heatmap gaps exact.oa greedy.oa --json
oa-heatmap gaps exact.oa greedy.oa | head -n 5
cat >slow.jsonl <<END
{"file":"in/G","problem":"5a","sense":"max","energy":9,"seconds":4}
{"file":"G","problem":"5a","sense":"max","energy":10,"seconds":2}
{"file":"G","sense":"max","energy":8,"seconds":5}

END
echo '{"file":"G","sense":"max","energy":11,"seconds":0.015}' >fast.jsonl
oa-heatmap targets slow.jsonl fast.jsonl --json
oa-heatmap targets slow.jsonl fast.jsonl --target 9 --json
oa-heatmap targets slow.jsonl fast.jsonl --target 9 | head -n 5
for k in 1 2; do  # tasks of a machine, whose runs hit or miss
  echo '{"tasks":3,"by_task":[{"task":0,"runs":10,"best":-8,"best_hits":5,"optimum":-8,"optimum_hits":5,"ms_to_99":6.6},{"task":1,"runs":10,"best":-4,"best_hits":2,"optimum":-5,"optimum_hits":0,"ms_to_99":null},{"task":2,"runs":0},{"task":3,"runs":10,"best":-1,"best_hits":10,"optimum":null,"optimum_hits":null,"ms_to_99":1}]}' >tasks$k.json
done
oa-heatmap gaps tasks1.json tasks2.json --json
oa-heatmap gaps tasks1.json | head -n 4
oa-heatmap targets tasks1.json --json
oa-heatmap targets tasks1.json tasks2.json | head -n 5
oa-heatmap targets tasks1.json slow.jsonl --json
echo '{"tasks":1,"runs":1}' >untold.json
oa-heatmap targets untold.json
mkdir mat
printf '0,127,1\n127,0,-64\n1,-64,0\n' >mat/0.csv  # Ising
printf '%s\n' '-4.0,8.0' '-0.0,12.0' >mat/1.csv    # QUBO
oa-heatmap levels mat --json | cut -c 1-110
oa-heatmap levels mat/1.csv | head -n 4
for format in qubo ising; do
  oa-cim-pack -q --format $format p.oa -o $format.tar.gz
  oa-cim-pack -q --format $format p.oa --folder -o $format
  oa-heatmap levels $format.tar.gz --json >$format.json
  oa-heatmap levels $format --json | cmp - $format.json
done
cmp qubo.json ising.json
cut -c 1-64 qubo.json
printf 'way,spins,right %%,levels\nunary,49,89,2\nunary,147,91,4\none-hot,196,90,4\n' >points.csv
oa-heatmap scatter points.csv --json
oa-heatmap scatter points.csv --columns 60 | head -n 12
oa-heatmap scatter points.csv -o points.svg && grep -c '<title>right % against spins</title>' points.svg
