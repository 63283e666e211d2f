# A page in Chinese says what the English one says to programs: the same options in the same
# order, the same words to type and to read, the same commands and formulas; it is no wider than
# a terminal.
# Usage: translation.sh MAN PAGE
cd "$1" || exit 2
page=$2
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

# Lists of options, literal blocks and commands as they are; then the arguments of macros for
# options (Fl), arguments (Cm), pages (Xr) and names (Ql, Va), sorted, each once.
facts() {
  awk '
    /^\.It Fl / || /^\.Dl / { print; next }
    /^\.Bd -literal/ { literal = 1; next }
    /^\.Ed/ { literal = 0; next }
    literal { print }' "$1"
  awk '
    /^\./ {
      kind = ""
      for (i = 1; i <= NF; i++) {
        word = $i; sub(/^\./, "", word)
        if (word ~ /^(Fl|Cm|Xr|Ql|Va)$/) kind = word == "Va" ? "Ql" : word
        else if (word ~ /^[A-Z][a-z]$/) kind = ""
        else if (kind != "" && word ~ /[0-9A-Za-z]|^-$/) print kind, word
      }
    }' "$1" | sort -u
}
facts "$page" >"$tmp/english"
facts "zh_CN/$page" >"$tmp/chinese"
[ -s "$tmp/english" ] || { echo "$page: no facts found"; exit 1; }
diff -u --label "$page" --label "zh_CN/$page" "$tmp/english" "$tmp/chinese" || exit 1

command -v mandoc >/dev/null || { echo "no mandoc"; exit 77; }
width() { mandoc -T utf8 "$1" | LC_ALL=C.UTF-8 col -b | LC_ALL=C.UTF-8 wc -L; }
# Literal blocks may make the English page wider, too.
english=$(width "$page") chinese=$(width "zh_CN/$page")
[ "$chinese" -le 80 ] || [ "$chinese" -le "$english" ] || {
  echo "zh_CN/$page is $chinese columns wide: break lines after punctuation"
  exit 1
}
