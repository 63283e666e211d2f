# Output of a running training: a line, a row and events per epoch; and
# how it goes on.
oa-digits -q -o d --train 300 --test 20 || exit 1
train() {
  oa-train d -o m.bin --patch 7 --dim 16 --batch 5 --checkpoint c --resume c --log l.jsonl \
    --csv t.csv --tensorboard events -j 1 "$@"
}
# So short a training may be no better than chance.
numbers() { grep -v 'than chance' | sed -E 's/[0-9]+\.[0-9]+/N/g; s/, [0-9,]+ parameters, epoch [0-9]+/, P parameters, epoch E/; s/, [0-9]+ s, [0-9,]+ images/, S s, R images/; s/[0-9,]+ parameters, epoch [0-9]+/P parameters, epoch E/; s/  best$//'; }
train --epochs 2 --test 2>&1 | numbers
ls events
train --epochs 3 2>&1 | numbers
ls events
cut -d, -f1-3,13 t.csv | sed 's/,[01]$/,B/'
python3 - <<'END'
import csv, glob, json, struct

def crc(data):  # bit by bit
    rest = 0xFFFFFFFF
    for byte in data:
        rest ^= byte
        for _ in range(8):
            rest = rest >> 1 ^ (0x82F63B78 if rest & 1 else 0)
    rest ^= 0xFFFFFFFF
    return ((rest >> 15 | rest << 17) + 0xA282EAD8) & 0xFFFFFFFF

def varint(data, at):
    value = shift = 0
    while True:
        value |= (data[at] & 127) << shift
        shift += 7
        at += 1
        if data[at - 1] < 128:
            return value, at

def fields(data):
    at = 0
    while at < len(data):
        key, at = varint(data, at)
        if key & 7 == 0:
            value, at = varint(data, at)
        else:
            if key & 7 == 2:
                size, at = varint(data, at)
            else:
                size = {1: 8, 5: 4}[key & 7]
            value, at = data[at : at + size], at + size
        yield key >> 3, value

def scalars(path):
    data = open(path, "rb").read()
    at = 0
    while at < len(data):
        length, check = struct.unpack_from("<QI", data, at)
        assert crc(data[at : at + 8]) == check
        event = data[at + 12 : at + 12 + length]
        assert crc(event) == struct.unpack_from("<I", data, at + 12 + length)[0]
        at += 16 + length
        event = dict(fields(event))
        for _, value in fields(event.get(5, b"")):
            value = dict(fields(value))
            yield event[2], value[1].decode(), struct.unpack("<f", value[2])[0]

log = [json.loads(line) for line in open("l.jsonl")]
epochs = [line for line in log if line["type"] == "epoch"]
rows = list(csv.DictReader(open("t.csv")))
seen = {(step, tag): x for path in glob.glob("events/*") for step, tag, x in scalars(path)}
for epoch, row in zip(epochs, rows, strict=True):
    for name in "train_loss", "train_accuracy", "validation_loss", "test_accuracy":
        if name in epoch:
            assert float(row[name]) == epoch[name]
            assert abs(seen[epoch["step"], "epoch/" + name] - epoch[name]) < 1e-6
        else:
            assert row[name] == "" and (epoch["step"], "epoch/" + name) not in seen
steps = [line for line in log if line["type"] == "step"]
print(len(epochs), "epochs,", len(steps), "steps,", len(seen), "numbers of events")
END
# The same in one go, for another number of epochs at once.
train --epochs 2 -q 2>&1
echo "status $?"
train --epochs 4 --json >json 2>warnings && python3 -c 'import json; print(len(json.load(open("json"))["models"]))'
grep -v 'than chance' warnings
# A log through a pipe.
oa-train d -q -o s.bin --epochs 2 --patch 7 --dim 16 --batch 10 --log - | grep -c '"type":"epoch"'
ls -- - 2>/dev/null
oa-train d -q -o s.bin --epochs 1 --patch 7 --dim 16 --batch 10 --seeds 1-2 --tensorboard many
ls many
