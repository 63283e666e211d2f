# A text is learned and continued; sentences are classified.
for i in 1 2 3 4 5 6 7 8 9 10; do
  echo 'the cat sat on the mat and the dog lay on the log'
done >text
status oa-train -q --text text --context 8 --epochs 2 --dim 16 -j 2 -o text.bin
oa-score -q --generate 12 --prompt 'the ' --temperature 0 text.bin >a
oa-score -q --generate 12 --prompt 'the ' --temperature 0 -j 1 --seed 2 text.bin >b
cmp a b && wc -c <a
oa-score -q --generate 12 --prompt 'the ' --temperature 0.5 text.bin | wc -c
oa-score -q --generate 12 --prompt 'the ' --seed 2 --json text.bin | grep -o '"qubos":[0-9]*'
oa-qubo -q text.bin text | oa-anneal -q | oa-score | grep -c '^bits per character'
oa-score -q --generate 2 --prompt 'Z' text.bin
oa-score -q --generate 2 --prompt '' text.bin
echo 'a text of other characters: 0123456789 ABCDEFGHIJ 0123456789 ABCDEFGHIJ 0123456789 ABCDEFGHIJ' >other
oa-qubo -q text.bin other | wc -c
printf 'short' >short
oa-train -q --text short -o x.bin
oa-train -q --text text short -o x.bin
oa-train -q --context 8 -o x.bin
for i in 1 2 3 4 5 6 7 8 9 10; do
  printf '1\ta fine day %s\n0\ta bad night %s\n' $i $i
done >sentences
status oa-train -q --sentences sentences --epochs 1 --dim 16 -j 2 -o s.bin
oa-score --model s.bin sentences | grep '^images'
printf 'no label\n' >bad
oa-train -q --sentences bad -o x.bin
