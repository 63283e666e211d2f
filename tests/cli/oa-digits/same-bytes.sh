# the same bytes with one thread and with several, and for the beginning of a longer set
oa-digits -o one --train 1234 --test 56 -j1
oa-digits -o many --train 1234 --test 56 -j3
oa-digits -o short --train 20 --test 10
oa-digits -o other --train 20 --test 10 --seed 2
for file in one/*; do
  cmp "$file" "many/${file#one/}"
  cksum "short/${file#one/}"
done
body() { tail -c +17 "$1/train-images-idx3-ubyte" | head -c 15680; }
body one >a
body short | cmp - a
body other | cmp -s - a && echo "seeds 1 and 2 draw the same"
oa-view one/train-images-idx3-ubyte
oa-view --check one/t10k-labels-idx1-ubyte
