# Whatever a model's coefficients, the pipeline computes what the model does, or refuses.
oa-digits -q -o d --train 300 --test 60 || exit 1
images=d/t10k-images-idx3-ubyte
# difference A B: whether class probabilities differ by at most LIMIT anywhere
difference() {
  paste -d, "$1" "$2" | awk -F, -v limit="$3" '
    NR > 1 {
      for (i = 5; i <= 14; i++) {
        d = $i - $(i + 14)
        worst = d < 0 ? (-d > worst ? -d : worst) : (d > worst ? d : worst)
      }
    }
    END { print NR - 1, "images,", (worst <= limit ? "equal" : "differ by " worst) }'
}
# road MODEL LIMIT [options of oa-anneal]: the pipeline against oa-score --model
road() {
  model=$1 limit=$2
  shift 2
  oa-score -q -o one --model $model.bin $images --csv one.csv
  oa-qubo -q $model.bin $images | oa-anneal -q "$@" | tee $model.oa | oa-score -q -o two --csv two.csv
  echo "$model: $(difference one.csv two.csv $limit)"
}
for kind in binary continuous lasso; do
  oa-train -q d -o $kind.bin --recipe reference --epochs 1 --held-out 10 -j 1 --coefficients $kind
done
# The model thresholds the relaxed problem; auto would find the optimum.
road binary 1e-5 --solver admm
road continuous 1e-5
road lasso 1e-5
for kind in binary continuous lasso; do
  oa-view --json $kind.oa | grep -o '"oa.coefficients":"[a-z]*"\|"x":{"dtype":"[A-Z0-9]*"\|"oa.solver":"[a-z]*"' | sort -u
  oa-view --check $kind.oa
  oa-heatmap sparsity -q $kind.oa -o $kind.svg && echo drawn
done
echo "--- asked for otherwise"
oa-qubo -q continuous.bin $images --first 3 >c.oa
oa-qubo -q lasso.bin $images --first 3 >l.oa
oa-qubo continuous.bin $images --first 3 --coefficients binary >b.oa
oa-qubo continuous.bin $images --first 3 -o again.oa
for stream in 'b.oa' 'c.oa --coefficients binary'; do
  oa-anneal -q --no-times $stream >s.oa
  oa-view --json s.oa | grep -o '"oa.coefficients":"[a-z]*"'
  oa-view --check s.oa
  oa-score -q s.oa --csv ${stream%% *}.csv -o report
done
cmp b.oa.csv c.oa.csv && echo "the same classes"
oa-anneal -q b.oa --coefficients continuous | oa-view --json | grep -o '"oa.coefficients":"[a-z]*"'
echo "--- refused"
try() {
  "$@" >out
  echo "status $?, $(wc -c <out) bytes"
}
try oa-anneal -q c.oa --solver tabu
try oa-anneal -q c.oa --top 3
try oa-anneal -q c.oa --max-nodes 10
try oa-anneal -q l.oa --solver exact
try oa-anneal -q l.oa --coefficients binary
try oa-cim-pack -q c.oa -o mat.tar.gz
try oa-cim-pack -q lasso.oa -o mat.tar.gz
