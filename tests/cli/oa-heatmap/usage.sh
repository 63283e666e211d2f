# Invalid command lines: status 2, nothing written.
for line in '' 'pie s.oa' 'sparsity s.oa -o p.gif' 'confusion a.oa b.oa' \
    'boxplot --mean a.csv' 'curves --notches a' 'sparsity --log s.oa' \
    'curves --smooth 0 a' 'sparsity --mean --image 1 s.oa'; do
  status oa-heatmap $line
done
ls -A
