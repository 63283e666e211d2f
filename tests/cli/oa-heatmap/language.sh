# Figures in Chinese: as text where there is UTF-8, as pictures where a font has the signs.
for epoch in 1 2 3; do
  echo "{\"type\":\"epoch\",\"epoch\":$epoch,\"train_loss\":$((8 / epoch)),\"train_accuracy\":0.$epoch}"
done >run.jsonl
LC_ALL=C.UTF-8 oa-heatmap curves run.jsonl --language zh --columns 40 | head -n 8
LC_ALL=C oa-heatmap curves run.jsonl --language zh
echo "status $?"
status oa-heatmap curves run.jsonl --language fr

echo '<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig></fontconfig>' >fonts.conf
FONTCONFIG_FILE=$PWD/fonts.conf oa-heatmap curves run.jsonl --language zh -o none.svg
echo "status $?"
FONTCONFIG_FILE=$PWD/fonts.conf oa-heatmap curves run.jsonl --title '训练' -o none.svg
echo "status $?"
ls

# A figure in English needs no font of the machine.
FONTCONFIG_FILE=$PWD/fonts.conf oa-heatmap curves run.jsonl -o a.svg
oa-heatmap curves run.jsonl -o b.svg && cmp a.svg b.svg && echo the same

if [ -n "$(fc-list ':charset=8bad' 2>/dev/null)" ]; then
  for format in svg png pdf eps; do
    oa-heatmap curves run.jsonl --language zh -o zh.$format || echo "$format: no picture"
  done
  grep -c '<title>训练：损失和准确率</title>' zh.svg | grep -vx 1
fi
true
