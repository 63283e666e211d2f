# How figures look: on terminals of several widths, dumb ones and in the locale C; and the
# options of pictures.
for seed in 1 2; do
  for epoch in 1 2 3 4; do
    echo "{\"type\":\"epoch\",\"seed\":$seed,\"epoch\":$epoch,\"step\":9,\"train_loss\":$((8 / epoch + seed)),\"train_accuracy\":0.$((epoch + seed)),\"best\":true}"
  done
done >run.jsonl
on() { python3 "$CASE_DIR/../ref/on_terminal.py" "$@"; }
widest() { python3 -c '
import re, sys
text = re.sub("\x1b[^m]*m", "", sys.stdin.read())
print(max(map(len, text.split("\n"))), text.isascii())'; }
for columns in 40 80 200; do
  TERM=xterm on $columns oa-heatmap curves run.jsonl | widest
  TERM=dumb on $columns oa-heatmap curves run.jsonl >dumb.$columns
  widest <dumb.$columns
  TERM=xterm LC_ALL=C on $columns oa-heatmap curves run.jsonl | widest
done
cat dumb.40
grep -c "$(printf '\033')" dumb.40
LC_ALL=C oa-heatmap curves run.jsonl | widest
oa-heatmap curves run.jsonl --columns 72 --title 'My runs' | head -n 4

oa-heatmap curves run.jsonl -o small.png --dpi 50 --width 100 --title 'Mine'
oa-heatmap curves run.jsonl -o dark.svg --theme dark
oa-heatmap curves run.jsonl -o a.eps && head -n 1 a.eps && grep BoundingBox a.eps | head -n 1
oa-heatmap curves run.jsonl -o again.eps && cmp a.eps again.eps && echo the same EPS
grep -o '<title>.*</title>' dark.svg
python3 - <<'END'
import struct, zlib
data = open("small.png", "rb").read()
at = 8
while at < len(data):
    size, kind = struct.unpack_from(">I4s", data, at)
    body = data[at + 8 : at + 8 + size]
    assert zlib.crc32(kind + body) == struct.unpack_from(">I", data, at + 8 + size)[0]
    if kind == b"IHDR":
        print("pixels across", struct.unpack_from(">I", body)[0])
    if kind == b"pHYs":
        print("pixels a metre", struct.unpack(">IIB", body))
    at += 12 + size
END
for line in '--dpi 50' '--dpi 50 -o a.svg' '--theme dark' '--columns 80 -o a.png' \
    '--columns 39' '--theme pink -o a.svg' '--width 1 -o a.svg'; do
  status oa-heatmap curves run.jsonl $line
done
