# Two runs side by side: predictions, accuracies and, of two streams of the same problems,
# energies.
oa-digits -q -o digits --train 300 --test 12 --seed 3 || exit 1
oa-train digits -q -o model.bin --epochs 1 --held-out 50 2>/dev/null || exit 1
oa-train digits -q -o other.bin --epochs 1 --held-out 50 --seed 2 2>/dev/null || exit 1
images=digits/t10k-images-idx3-ubyte
oa-qubo -q model.bin $images -o problems.oa || exit 1
oa-anneal -q --no-times problems.oa -o exact.oa || exit 1
oa-anneal -q --no-times --solver greedy problems.oa -o greedy.oa || exit 1
oa-qubo -q other.bin $images | oa-anneal -q --no-times -o other.oa || exit 1
oa-score -q exact.oa --csv exact.csv >/dev/null || exit 1

energies() {
  python3 -c '
import json, sys
c = json.load(sys.stdin)
e = c.get("energy")
if e is None:
    print("no energies")
else:
    print(e["images"], e["other_problems"], e["problems"],
          e["equal"] + e["lower_a"] + e["lower_b"], end=" ")
    print(e["lower_b"] if len(sys.argv) < 2 else e["lower_a"],
          e["equal"] == e["problems"], (e["mean_gap"] or 0.0) < 0.0,
          c["accuracy_difference"] == c["accuracy_a"] - c["accuracy_b"])' "$@"
}
echo "with itself:"
oa-score --compare exact.oa exact.oa --json | energies
echo "proven optima against a descent, then the other way round:"
oa-score --compare exact.oa greedy.oa --json | energies
oa-score --compare greedy.oa exact.oa --json | energies reversed
echo "another model has other problems:"
oa-score --compare exact.oa other.oa --json | energies
echo "a table has no energies:"
oa-score --compare exact.csv greedy.oa --json | energies
echo "for people:"
oa-score --compare exact.oa greedy.oa | sed 's/-\{0,1\}[0-9][0-9.e-]*/N/g; s/  *-/ -/g; s/  */ /g'
oa-score --compare exact.oa other.oa | grep -E 'problems|energy'
oa-score --compare exact.csv exact.oa | grep -E 'same|energy'
echo "an image in one alone:"
oa-view -q --head 9 exact.oa -o nine.oa
oa-score --compare nine.oa exact.oa | sed -n '3,4p'
oa-score --compare nine.oa exact.oa >/dev/null
echo "status $?"
