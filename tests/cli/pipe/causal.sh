# A causal model of the paper's layer: query i has the problem of i values, and solved elsewhere
# the problems give what the model says.
oa-tasks recall -q -o recall --pairs 3 --keys 6 --train 200 --test 8 || exit 1
oa-train recall -q -o m.bin --attention optimizing --dim 8 --epochs 1 --held-out 10 -j 1 || exit 1
oa-qubo m.bin recall -o problems.oa
oa-anneal -q --no-times problems.oa -o solved.oa
oa-view --check solved.oa
oa-score -q solved.oa --csv stream.csv -o report
oa-score -q --layer-by-layer m.bin recall --csv model.csv -o report
cut -d, -f1-4 stream.csv >stream && cut -d, -f1-4 model.csv | cmp - stream && echo 'as the model says'
status oa-train recall -q -o no.bin --attention optimizing --dim 8 --divide-output true
