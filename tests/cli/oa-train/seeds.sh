# Several seeds, a model each; the log names them; other grids, kinds and options.
oa-digits -q -o d --train 120 --test 20 || exit 1
small='--epochs 1 --held-out 20 --patch 7 --dim 16 --batch 50'
oa-train d -q -o m.bin $small --seeds 3,5 --log l --test -j 2 || exit 1
oa-train d -q -o five.bin $small --seed 5 --test -j 1 || exit 1
cmp m.5.bin five.bin && echo same
cmp -s m.3.bin m.5.bin || echo different
python3 - <<'P'
import json
for line in open('l'):
    j = json.loads(line)
    print(j['type'], j['seed'], j['epoch'], 'test_accuracy' in j, len(j['layers']))
P
oa-train d -q -o m.bin $small --seeds 3,5 --test --json=j
python3 - <<'P'
import json, statistics
j = json.load(open('j'))
mean, deviation = j['mean'], j['deviation']
for name in mean:
    values = [model[name] for model in j['models']]
    print(name, abs(mean[name] - statistics.mean(values)) < 1e-12,
          abs(deviation[name] - statistics.stdev(values)) < 1e-12)
P
oa-train d -o o.bin --epochs 1 --held-out 0 -j 1 2>&1 | tail -n 1 | cut -d ' ' -f 1-6
oa-tasks recall --train 60 --test 5 -q -o t && oa-train t -q -o o.bin --epochs 1 --causal=false &&
  oa-view o.bin | grep -c causal
for options in '--recipe reference' '--attention softmax' '--attention query' \
  '--coefficients continuous --normalization fifth' '--coefficients lasso' '--layers 2' \
  '--gradient unrolled' '--gradient implicit --exact true' '--random-tokens 0.2' \
  '--patch 2 --window 2 --batch 100' '--queries 2 --weight-decay 0.1 --clip 1 --smoothing 0.1'; do
  oa-train d -q -o o.bin $small $options -j 2 && oa-view o.bin >/dev/null &&
    oa-score --json --model o.bin d/t10k-images-idx3-ubyte |
    python3 -c 'import json, sys; print(json.load(sys.stdin)["images"])' || echo "failed: $options"
done
oa-tasks copy --train 60 --test 5 -q -o c && oa-train c -q -o o.bin --epochs 1 --heads 4 &&
  oa-view o.bin | grep -o 'heads=.'
