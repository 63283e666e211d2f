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
import csv, json
log = [json.loads(line) for line in open("l.jsonl")]
epochs = [line for line in log if line["type"] == "epoch"]
for epoch, row in zip(epochs, csv.DictReader(open("t.csv")), strict=True):
    for name in "train_loss", "train_accuracy", "validation_loss", "test_accuracy":
        assert row[name] == str(epoch.get(name, "")), name
print(len(epochs), "epochs,", len(log) - len(epochs), "steps")
END
# Events have the numbers of the log: of the third epoch, alone in its file.
of_events() { oa-view --json events/*2.oa-train | grep -o "\"epoch/$1\",\"value\":[0-9.]*" | cut -d : -f 2; }
of_log() { grep '"epoch":3' l.jsonl | grep -o "\"$1\":[0-9.]*" | cut -d : -f 2; }
for name in train_loss train_accuracy validation_loss; do
  echo "$(of_events $name) $(of_log $name)" | awk '{ print ($1 - $2 < 1e-6 && $2 - $1 < 1e-6) }'
done
oa-view events/*1.oa-train | grep -c 'test_accuracy *numbers 2'
# The same in one go, for another number of epochs at once.
status train --epochs 2 -q 2>&1
train --epochs 4 --json >json 2>warnings && python3 -c 'import json; print(len(json.load(open("json"))["models"]))'
grep -v 'than chance' warnings
# A log through a pipe.
oa-train d -q -o s.bin --epochs 2 --patch 7 --dim 16 --batch 10 --log - | grep -c '"type":"epoch"'
ls -- - 2>/dev/null
oa-train d -q -o s.bin --epochs 1 --patch 7 --dim 16 --batch 10 --seeds 1-2 --tensorboard many
ls many
