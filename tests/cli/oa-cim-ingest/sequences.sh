# Causal problems of two heads through the pipeline: solved, or packed, run on the practice
# machine and taken in, merged or not; in shards; with results missing.
same() {
  python3 "$CASE_DIR/../../ref/same_heads.py" "$@"
}
made() {
  make-stream --causal --heads 2 --variables 8 --queries 6 "$@"
}
made --images 4 -o in.oa
oa-view --check in.oa
oa-anneal -q --solver exact --no-times in.oa -o exact.oa
oa-view --check exact.oa
oa-view exact.oa | sed 's/  J .*//; s/  chosen.*//'
for options in '' '--merge --spins 24' '--merge --spins 24 --format ising'; do
  format=${options#*--format }
  [ "$format" = ising ] || format=qubo
  rm -rf r
  # shellcheck disable=SC2086
  oa-cim-pack -q --force --precision best $options in.oa -o mat.tar.gz
  oa-cim-sim mat.tar.gz --format "$format" -o r --reads 8
  oa-cim-ingest -q mat.manifest r -o back.oa
  same exact.oa back.oa
done
echo '-- shards'
made --images 2 -o a.oa
made --images 2 --first 2 -o b.oa
for solver in sa tabu auto; do
  oa-anneal -q --no-times --solver $solver --top 2 in.oa -o whole.oa
  for shard in a b; do oa-anneal -q --no-times --solver $solver --top 2 -j 2 $shard.oa -o $shard.$solver.oa; done
  cat a.$solver.oa b.$solver.oa >joined.oa
  same whole.oa joined.oa
done
echo '-- an example that lacks a result is left out with all its heads'
oa-cim-pack -q --force in.oa -o mat.tar.gz
rm -rf r
oa-cim-sim mat.tar.gz -o r --reads 2 --drop 1
status oa-cim-ingest -q --missing skip mat.manifest r -o back.oa 2>/dev/null
oa-view back.oa | tail -1
oa-cim-ingest -q --missing original mat.manifest r -o back.oa 2>/dev/null
oa-view --check back.oa
echo '-- figures'
oa-heatmap sparsity --image 2 --head 1 --json exact.oa | sed 's/"energy".*//'
oa-heatmap sparsity --mean exact.oa --json | sed 's/"value".*//'
oa-heatmap sparsity --head 2 exact.oa
oa-heatmap gaps whole.oa exact.oa --json | sed 's/"seconds":[^,}]*//g'
