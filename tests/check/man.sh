# Man page and --help name the same options, with the same value names and defaults.
# Usage: man.sh TOOL PAGE
tool=$1 page=$2
tmp=$(mktemp -d) || exit 99
trap 'rm -rf "$tmp"' EXIT

# --help: "  -j, --threads N   Number of threads (default: all)", wrapped or not.  One line
# for each option: "-j --threads N default: all".
"$tool" --help | awk '
  function flush() {
    if (option != "") {
      line = option
      if (match(text, /\(default: [^)]*\)/)) line = line " " substr(text, RSTART + 1, RLENGTH - 2)
      print line
    }
    option = ""
  }
  /^  (-.,|   ) --/ {
    flush()
    match($0, /^  (-., |    )--[a-z0-9-]*( [A-Z]+([\/ ][A-Z]+)?)?/)
    option = substr($0, RSTART, RLENGTH); text = substr($0, RLENGTH + 1)
    gsub(/[ ,]+/, " ", option); sub(/^ /, "", option)
    next
  }
  /^                          / { text = text " " $0; gsub(/ +/, " ", text); next }
  { flush() }
  END { flush() }' | sort >"$tmp/help"

# mdoc: ".It Fl j , Fl -threads Ar N" and "(default: all)" in the text that follows.
awk '
  function flush() {
    if (option != "") {
      line = option
      if (match(text, /\(default: [^)]*\)/)) line = line " " substr(text, RSTART + 1, RLENGTH - 2)
      print line
    }
    option = ""
  }
  /^\.It Fl / {
    flush()
    option = $0; text = ""
    sub(/^\.It /, "", option)
    gsub(/Fl /, "-", option); gsub(/ ,/, "", option); gsub(/Ar /, "", option)
    next
  }
  /^\.(It|El|Sh)/ { flush(); next }
  option != "" { sub(/^\.[A-Z][a-z] /, ""); text = text " " $0 }
  END { flush() }' "$page" | sort >"$tmp/page"

[ -s "$tmp/help" ] || { echo "$tool --help names no options"; exit 1; }
diff -u --label "$tool --help" --label "$page" "$tmp/help" "$tmp/page"
