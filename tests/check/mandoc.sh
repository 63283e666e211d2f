# The manual has no fault that mandoc(1) knows, and no quotes within quotes, which groff
# does not close.  Usage: mandoc.sh MAN
cd "$1" || exit 2
grep -nE '^\..*\bQl\b.*\bQl\b' ./*.[1-8] ./*/*.[1-8] && exit 1
command -v mandoc >/dev/null || { echo "no mandoc"; exit 77; }
mandoc -T lint -W warning ./*.[1-8]
