# The 20 matrices of a real submission, byte for byte, and what rounding costs there.
[ -n "${OA_SHARED:-}" ] || { echo "OA_SHARED is not set"; exit 77; }
oa-qubo -q "$OA_SHARED/reference/binarised.safetensors" \
  "$OA_SHARED/mnist/t10k-images-idx3-ubyte.gz" --index 22 -o 22.oa || exit 1
oa-cim-pack 22.oa --folder -o mat --json 2>summary || exit 1
for i in $(seq 0 19); do
  cmp "mat/$i.csv" "$OA_SHARED/cim/submitted/mat/$i.csv" || exit 1
done
kept() {
  python3 -c 'import json, sys; r = json.load(open("summary"))
print(*(f"{k} {r[k]}" for k in sys.argv[1:]))' "$@"
}
kept problems tasks kept_some kept_first kept_every spins_max
oa-cim-pack 22.oa --precision best --no-fix -o x.tar.gz --json 2>summary || exit 1
kept kept_every spins_max
oa-cim-pack 22.oa --precision best --merge --machine cpqc-550 -o y.tar.gz --json 2>summary || exit 1
kept kept_every tasks
