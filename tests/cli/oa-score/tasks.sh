# Sequences and scenes through the pipeline: a stream has the same score as the model by
# itself, layer after layer; and what cannot be asked is refused.
share() {
  grep -E '^(positions|sets|cells|classes|whole|next|bits)' "$1" >"$1.share"
  test -s "$1.share"
}
same() {
  oa-qubo -q "$@" -o problems.oa && oa-anneal -q -o solved.oa problems.oa || return
  oa-view --check solved.oa
  oa-score solved.oa >stream
  oa-score --layer-by-layer --model "$1" "$2" >model
  share stream && share model && cmp stream.share model.share && echo same
}
small='-q --epochs 1 -j 2 --dim 16 --batch 16'
echo '-- recall'
oa-tasks -q recall --pairs 3 --keys 8 -o recall --train 200 --test 20
oa-train $small recall -o recall.bin
same recall.bin recall
oa-score --json solved.oa | grep -o '"metric":"[a-z_]*"'
echo '-- the coefficients of the training, unless others are asked for'
oa-score recall.bin recall >as-trained && cmp as-trained model && echo same
grep -E '^(coefficients|QUBOs|proved)' model
oa-score --layer-by-layer=false recall.bin recall | grep -E '^(coefficients|QUBOs)'
oa-score --json recall.bin recall | grep -o '"coefficients":.*"proved_optimal":[0-9]*'
oa-train $small recall -o rounded.bin --exact false
oa-score rounded.bin recall | grep '^coefficients'
oa-train $small recall -o real.bin --coefficients continuous
oa-score real.bin recall | grep '^coefficients'
echo '-- the layer of the paper, in which query i has the problem of i values'
oa-train $small recall --attention optimizing -o paper.bin && same paper.bin recall
oa-train $small recall --attention optimizing --divide-output true -o x.bin
echo '-- longer sequences than those of the training'
oa-tasks -q recall --pairs 5 --keys 8 -o longer --train 20 --test 20
same recall.bin longer
echo '-- what other kinds have learned is read back'
for kind in softmax linear gla h3 mamba uniform; do
  oa-train $small recall --layers 2 --attention $kind -o $kind.bin && oa-score $kind.bin recall | head -n 1
done
echo '-- two layers of two heads'
oa-tasks -q induction -o induction --train 100 --test 10
oa-train $small induction --heads 2 -o induction.bin
same induction.bin induction
cp stream.share whole.share
oa-qubo -q --layer 0 induction.bin induction | oa-anneal -q -o first.oa
oa-qubo -q --answers first.oa induction.bin induction | oa-anneal -q | oa-score >stream
share stream && cmp stream.share whole.share && echo 'with answers the same'
oa-score first.oa
oa-qubo -q --head 1 induction.bin induction | oa-anneal -q | oa-score
oa-qubo -q --answers solved.oa induction.bin induction | wc -c
oa-qubo -q --answers first.oa --layer 0 induction.bin induction
oa-qubo -q --layer 2 induction.bin induction
oa-qubo -q --head 2 induction.bin induction
echo '-- sets'
oa-tasks -q superposed --labels 20 --memory 8 --sum 2 -o sets --train 100 --test 10
oa-train $small sets -o sets.bin
same sets.bin sets
echo '-- cells'
oa-tasks -q scenes -o scenes --train 60 --test 10
oa-train $small scenes -o scenes.bin
same scenes.bin scenes
echo '-- the machine'
oa-qubo -q --first 4 scenes.bin scenes -o problems.oa
oa-anneal -q --no-times --solver exact problems.oa -o exact.oa
oa-cim-pack -q --merge --precision best problems.oa -o mat.tar.gz
oa-cim-sim -q mat.tar.gz -o results --reads 4
oa-cim-ingest -q mat.manifest results -o back.oa
oa-score back.oa | grep -c -E '^(cells|classes|whole pictures)'
echo '-- tables of answers: what the report counts, and the same from the stream and the model'
for task in recall sets scenes; do
  oa-qubo -q $task.bin $task | oa-anneal -q -o solved.oa
  oa-score --csv stream.csv solved.oa >report
  oa-score --csv model.csv --layer-by-layer --model $task.bin $task >/dev/null
  cut -d, -f1-5 stream.csv >stream.answers
  cut -d, -f1-5 model.csv >model.answers
  cmp stream.answers model.answers && head -n 1 stream.csv
  right=$(cut -d, -f5 stream.csv | grep -c True)
  asked=$(cut -d, -f5 stream.csv | grep -c -E '(True|False)$')
  grep -c "($right of $asked;" report
  oa-score --compare stream.csv solved.oa
done
oa-score --model recall.bin recall --csv - | head -n 3 | cut -d, -f1-4
oa-score --wrong --json --model recall.bin recall | grep -o '"wrong":\[[0-9]*'
oa-score --csv cut.csv --model recall.bin recall >/dev/null
# Later digits are those of the processor's instructions.
oa-score --json --compare cut.csv cut.csv | sed -E 's,("bits_[ab]":[0-9]+\.[0-9]{5})[0-9]*,\1,g'
oa-score --csv less.csv --model recall.bin recall --first 5 >/dev/null
oa-score --compare cut.csv less.csv | grep -E 'both|alone'
echo '-- refused'
printf 'idx,label,pred,correct,logits_0,logits_1\n1,1,1,True,0,1\n' >classes.csv
oa-score --compare cut.csv classes.csv
oa-score --compare classes.csv cut.csv
printf 'idx,row,correct\n1,0,True\n1,1,yes\n' | oa-score --compare /dev/stdin cut.csv
printf 'idx,row,correct\n0,0,True\n' | oa-score --compare /dev/stdin cut.csv
printf 'idx,row,correct,idx\n' | oa-score --compare /dev/stdin cut.csv
printf 'idx,row,correct\n-1,0,True\n' | oa-score --compare /dev/stdin cut.csv
printf 'idx,row,correct\n1,0\n' | oa-score --compare /dev/stdin cut.csv
oa-heatmap -q boxplot cut.csv -o x.svg
oa-qubo -q recall.bin sets
oa-qubo -q recall.bin scenes
oa-qubo -q scenes.bin recall
oa-qubo -q recall.bin scenes/t10k-images-idx3-ubyte
oa-score -q --top-k 2 --layer-by-layer --model sets.bin sets
oa-score --generate 3 --prompt a recall.bin
oa-score --generate 3 recall.bin
oa-train $small recall --attention softmax -o softmax.bin --causal
oa-qubo -q softmax.bin recall
oa-train $small recall --queries 3 -o x.bin
oa-train $small sets --residual true -o x.bin
oa-train $small scenes --queries 7 -o x.bin
