# Many more threads than processors or problems: the bytes
# of one.
. "$CASE_DIR/inputs"
for j in 1 500; do
  mkdir $j
  (
    cd $j || exit
    oa-qubo -q -j $j "$in/m.bin" "$in/d/t10k-images-idx3-ubyte" -o p.oa
    oa-anneal -q --no-times -j $j p.oa -o s.oa
    oa-cim-pack -q -j $j p.oa -o mat.tar.gz
    oa-cim-sim -q -j $j mat.tar.gz -o results
    oa-cim-ingest -q -j $j mat.manifest results -o r.oa
    oa-score -q -j $j --model "$in/m.bin" "$in/d/t10k-images-idx3-ubyte" --json >score.json
    oa-train "$in/d" -q -j $j -o m.bin --recipe reference --epochs 1 --held-out 10 \
      --patch 14 --dim 2 --batch 10
    oa-anneal -q --no-times -j $j --format coo "$in/a.coo" >a.json
  )
done
diff -r 1 500 && echo same
