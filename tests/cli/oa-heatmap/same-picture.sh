# PNG, SVG and PDF show the same, as other programs draw the latter two.
command -v rsvg-convert pdftoppm >/dev/null || { echo "no rsvg-convert, pdftoppm"; exit 77; }
find_numpy
make-stream --kind solution --images 1 --variables 9 --queries 4 -o s.oa
printf 'label,pred,logits_0,logits_1\n0,0,0.9,0.1\n0,1,0.4,0.6\n1,1,0.2,0.8\n' >a.csv
printf '{"train_loss":[2,1.5,1.25,1.2],"train_acc":[0.5,0.6,0.7,0.75]}' >a.json
for figure in 'sparsity s.oa' 'boxplot a.csv' 'curves a.json' 'confusion a.csv'; do
  for format in png svg pdf; do
    oa-heatmap $figure -o f.$format || exit 1
  done
  rsvg-convert --zoom 2 f.svg -o svg.png
  pdftoppm -r 192 -png -singlefile f.pdf pdf
  echo "$figure: $($python "$CASE_DIR/../../ref/same_picture.py" f.png svg.png pdf.png)"
done
