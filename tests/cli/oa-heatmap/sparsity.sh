# The map of a stream in the terminal, as numbers and as pictures.
make-stream --kind solution --images 3 --variables 9 --queries 4 --seed 3 -o s.oa
oa-heatmap sparsity s.oa
oa-heatmap sparsity --image 2 --energy <s.oa | head -n 3
oa-heatmap sparsity --mean s.oa
oa-heatmap sparsity --json s.oa
oa-heatmap sparsity --mean --json s.oa | cut -c 1-150
status oa-heatmap sparsity --image 3 s.oa
# The same bytes whatever -j is, and no time of day in them.
for format in png svg pdf; do
  oa-heatmap sparsity --mean s.oa -j 1 -o a.$format
  oa-heatmap sparsity --mean s.oa -j 4 -o b.$format
  cmp a.$format b.$format
done
oa-heatmap sparsity s.oa -o a.SVG --json | cut -c 1-30
grep -c '<title>Values chosen for image 0</title>' a.SVG
