# The manual has no fault that mandoc(1) knows.  Usage: mandoc.sh MAN
cd "$1" || exit 2
command -v mandoc >/dev/null || { echo "no mandoc"; exit 77; }
mandoc -T lint -W warning ./*.[1-8]
