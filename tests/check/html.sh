# Every page of the manual becomes HTML, and every link leads to a page that is there.
# Usage: html.sh SOURCE
cd "$1" || exit 2
command -v mandoc >/dev/null || { echo "no mandoc"; exit 77; }
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
sh packaging/html.sh man "$tmp/html" || exit 1
bad=0
for page in man/*.[1-8] man/zh_CN/*.[1-8]; do
  [ -s "$tmp/html/${page#man/}.html" ] || { echo "$page: no page"; bad=1; }
done
for page in "$tmp"/html/*.html "$tmp"/html/zh_CN/*.html; do
  grep -q 'name="viewport"' "$page" || { echo "$page: no viewport"; bad=1; }
  for link in $(grep -o 'href="[^"#]*' "$page" | sed 's/^href="//; /^https*:/d' | sort -u); do
    [ -e "${page%/*}/$link" ] || { echo "$page: no $link"; bad=1; }
  done
done
exit $bad
