# Figures of the manual that take seconds are what their commands print: the nearest class
# mean of oa-digits(1), and in oa-cluster(7) the bytes of an image and the speeds by formula.
# Usage: man_figures.sh SOURCE TOOLS
cd "$1" || exit 2
PATH=$2:$PATH
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
bad=0
complain() {
  echo "$1"
  bad=1
}

# has PAGE TEXT: the page says so, wherever its lines break
has() {
  tr '\n' ' ' <"man/$1" | grep -qF -e "$2" || complain "man/$1 does not say: $2"
}

# -- oa-digits(1)
oa-digits -q -o "$tmp/digits"
sed -n '/^import numpy/,/^\.Ed/p' man/oa-digits.1 | sed '$d; s/\\e/\\/g' >"$tmp/mean.py"
python=$(for p in python3 /usr/bin/python3; do
  "$p" -c 'import numpy' 2>/dev/null && echo "$p" && break; done)
if [ -n "$python" ]; then
  mean=$(cd "$tmp" && "$python" mean.py)
  has oa-digits.1 "The first row, $mean, is what this prints"
fi

# -- oa-cluster(7): an image of 28x28 pixels, 49 problems of 49 variables
oa-digits -q -o "$tmp/small" --train 60 --test 50
oa-train -q -j 1 "$tmp/small" --recipe best --epochs 1 -o "$tmp/model.bin"
# bytes TOOL FIRST SECOND: what an image more takes, from streams of 10 and of 50
more() {
  echo $((($(wc -c <"$tmp/$1.50") - $(wc -c <"$tmp/$1.10")) / 40))
}
for images in 10 50; do
  oa-qubo -q "$tmp/model.bin" "$tmp/small" --first $images -o "$tmp/problems.$images"
  oa-anneal -q -j 1 "$tmp/problems.$images" -o "$tmp/solved.$images"
done
table=$(grep -A 1 -e '^\.It Li oa-qubo' -e '^\.It Li oa-anneal' man/oa-cluster.7 | sed -n 's/.*Ta \([0-9,]*\)$/\1/p' | tr -d ,)
near() {  # within 1 %: names and times have no fixed length
  [ $((100 * ($1 - $2))) -le "$2" ] && [ $((100 * ($2 - $1))) -le "$2" ] || complain "$1 bytes an image, the page says $2"
}
set -- $table
near "$(more problems)" "$1"
near "$(more solved)" "$2"

# The formula of "Several ranks", with the constants of that section.
awk 'function speed(c, b, l, r) { return c / (c / r + 2 * (4 * 47818 / b + (r - 1) * (l + 65536 / b))) }
  BEGIN {
    network = 1.25e9; here = 65536 / 9e-6
    printf "that is %.1f times the speed of one core with 2 ranks, %.1f with 4, %.1f with 8, %.1f with 16 and less\n",
      speed(0.023, network, 3e-5, 2), speed(0.023, network, 3e-5, 4), speed(0.023, network, 3e-5, 8), speed(0.023, network, 3e-5, 16)
    printf "it is %.1f with 8 ranks, %.0f with 16, %.0f with 32 and %.0f with 64\n",
      speed(0.23, network, 3e-5, 8), speed(0.23, network, 3e-5, 16), speed(0.23, network, 3e-5, 32), speed(0.23, network, 3e-5, 64)
    printf "there it is %.1f with 4 ranks and %.1f with 8.\n", speed(0.023, here, 4e-7, 4), speed(0.023, here, 4e-7, 8)
  }' >"$tmp/speeds"
while read -r line; do
  has oa-cluster.7 "$line"
done <"$tmp/speeds"
exit $bad
