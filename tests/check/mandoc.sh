# mandoc(1) has no warning, also of style, for any page of the manual, and no page has quotes
# within quotes, which groff does not close.  Usage: mandoc.sh MAN
cd "$1" || exit 2
grep -nE '^\..*\bQl\b.*\bQl\b' ./*.[1-8] ./*/*.[1-8] && exit 1
command -v mandoc >/dev/null || { echo "no mandoc"; exit 77; }
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
# References to pages are looked up here.
for page in *.[1-8]; do
  mkdir -p "$tmp/man${page##*.}"
  cp "$page" "$tmp/man${page##*.}"
done

# Pages of other programs may be absent.  In Chinese, mandoc does not know names of sections,
# takes the end of a character's code for a bracket, and counts bytes in place of columns.
MANPATH=$tmp mandoc -T lint -W style ./*.[1-8] ./zh_CN/*.[1-8] 2>/dev/null | awk '
  /referenced manual not found/ && !/Xr oa/ { next }
  /zh_CN/ && (/is not "NAME"/ || /outside NAME/ || /trailing delimiter: .*\[u/ ||
    /longer than 80 bytes/) { next }
  { print; bad = 1 }
  END { exit bad }'
