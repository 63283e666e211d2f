# A summary as JSON goes to the named file, which may be standard
# output where that is free; without a file to standard error.
cat >object.py <<'END'
import json, sys
for path in sys.argv[1:]:
    text = open(path).read()
    print(path, sorted(json.loads(text))[:3], "one line" if text.count("\n") == 1 else "more")
END
oa-digits -q -o d --train 40 --test 10
images=d/t10k-images-idx3-ubyte
train="oa-train d --epochs 1 --recipe reference -q"
$train -o m.bin --json=train.json
tool() {
  name=$1
  shift
  "$name" "$@" --json=$name.json >$name.stream 2>$name.err
  echo "$name: status $?, $(wc -c <$name.err) bytes on standard error"
  "$name" "$@" --json=- -o $name.out >$name.stdout 2>$name.err
  cmp $name.out $name.stream
  "$name" "$@" --json >$name.stream 2>$name.stderr
  cmp $name.out $name.stream
}
tool oa-qubo m.bin $images --first 2
tool oa-anneal --no-times oa-qubo.out
oa-cim-pack --json=pack.json -o mat.tar.gz oa-qubo.out
oa-cim-pack --json=- -o mat.tar.gz oa-qubo.out >pack.stdout
oa-cim-pack --json -o - --manifest m oa-qubo.out 2>pack.stderr >packed.tar.gz && cmp packed.tar.gz mat.tar.gz
oa-cim-sim -q mat.tar.gz -o r --reads 2
tool oa-cim-ingest mat.manifest r
python3 object.py train.json oa-*.json oa-*.stdout oa-*.stderr pack.*
# With nothing else on standard error; and a full disk is reported.
status oa-qubo m.bin $images --first 2 --json=/dev/full -o q.oa
# Data and summary do not share standard output.
status oa-anneal --no-times oa-qubo.out --json=-
