# oa-bench measures the layer that oa-train trains by the same name: it has as many parameters.
command -v jq >/dev/null || { echo "no jq"; exit 77; }
oa-digits -q -o d --train 30 --test 10 || exit 1
for kind in softmax flash2 mqa gqa window topk linear memory identity-qk optimizing optimizing:keys=own \
    softmax:heads=2,plain=true,output=true; do
  oa-train d -q -o m.bin --attention $kind --dim 8 --patch 7 --epochs 1 --held-out 10 -j 1 || exit 1
  trained=$(oa-view --json m.bin |
    jq '[.tensors[]|select(.name|test("^(W|log_|penalty|slot|queries)"))|.shape|reduce .[] as $n (1; . * $n)]|add // 0')
  oa-bench -q --kinds $kind --n 16 --d 8 --rounds 1 --json |
    jq -r --argjson trained "$trained" '.rows[0]|[.config,.parameters,.parameters==$trained]|@tsv'
done
