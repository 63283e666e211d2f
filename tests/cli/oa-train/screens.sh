# Screens of a training, recorded on terminals of 40, 80 and 200 columns, a dumb one, and in
# the locale C: the final screen; overwritten lines had to fit.
oa-digits -q -o d --train 600 --test 20 || exit 1
train='oa-train d -o m.bin --epochs 2 --patch 7 --dim 16 --batch 10 -j 1'
record() {
  columns=$1
  shift
  echo "-- $columns columns $*"
  env "$@" python3 "$CASE_DIR/../ref/on_terminal.py" "$columns" $train >written
  python3 "$CASE_DIR/../ref/last_screen.py" "$columns" <written
}
for columns in 40 80 200; do
  record $columns TERM=xterm
done
record 80 TERM=dumb
grep -c -e "$(printf '\033')" -e "$(printf '\r')" written
record 80 TERM=xterm LC_ALL=C
LC_ALL=C grep -c '[^ -~[:cntrl:]]' written
echo '-- a file'
$train 2>file
sed -E '/than chance/d; s/ .*//' file
