# Conditions on a report that hold for any numbers.  Usage: verify.sh OUT
out=$1
page=$out/report.html
grep -o '<h2>[^<]*' "$page" | sed 's/<h2>//'
echo "pictures: $(grep -c '<figure>' "$page")"

# Every accuracy and every count on the page is that of its file.
for file in "$out"/*.score.json "$out"/solved/*.score.json "$out"/levels/*.score.json; do
  share=$(grep -o '"accuracy":[^,]*' "$file" | head -n 1 | cut -d : -f 2)
  text=$(awk -v v="$share" 'BEGIN { printf "%.2f %%", 100 * v }')
  for report in "$page" "$out/report.md"; do
    grep -qF "$text" "$report" || echo "$report lacks $text of $file"
  done
done

# The page is self-contained: no script, no other files, each name once.
grep -n -e '<script' -e 'src=' -e '<link' "$page"
grep -o 'href="[^#][^"]*' "$page"
grep -o ' id="[^"]*' "$page" | sort | uniq -d
grep -o 'href="#[^"]*' "$page" | sort -u | sed 's/href="#//' >"$out/used"
grep -o ' id="[^"]*' "$page" | sed 's/ id="//' | sort -u >"$out/named"
comm -23 "$out/used" "$out/named"
grep -o '!\[[^]]*\]([^)]*)' "$out/report.md" | sed 's/.*(\(.*\))/\1/' | while read -r name; do
  [ -s "$out/$name" ] || echo "report.md names $name, which is not there"
done

# A second make has nothing to do.
make -s -q OUT="$out" QUICK=1 PACK= && echo 'all made'
