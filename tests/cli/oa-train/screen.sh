# A training on a terminal: one line that is drawn again, as wide as the terminal, and a line
# that each epoch leaves; a dumb one and a file get the latter only.
oa-digits -q -o d --train 600 --test 20 || exit 1
# So short a training may be no better than chance.
lines() { sed -E '/than chance/d; s/ .*//' "$1"; }
on() { python3 "$CASE_DIR/../ref/on_terminal.py" "$@"; }
small='--epochs 2 --patch 7 --dim 16 --batch 10 -j 1'
for columns in 40 80 200; do
  TERM=xterm on $columns oa-train d -o m.bin $small >screen
  python3 - $columns <<'END'
import sys
columns = int(sys.argv[1])
text = open("screen").read()
lines = [line for part in text.split("\r") for line in part.replace("\x1b[K", "").split("\n")]
progress = [line for line in lines if line.startswith("oa-train: training")]
print(columns, all(len(line) < columns for line in progress),
      sum(line.startswith("epoch ") for line in lines), lines[-2].startswith("seed 1: "))
END
done
TERM=dumb on 80 oa-train d -o m.bin $small >screen
grep -c -e "$(printf '\033')" -e "$(printf '\r')" screen
lines screen
oa-train d -o m.bin $small 2>file
lines file
