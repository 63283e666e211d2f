# Commands in the manual and in the first pages use tools and options that there are.
# Usage: man_examples.sh SOURCE TOOLS
cd "$1" || exit 2
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
for tool in "$2"/oa-*; do
  case $tool in *.bash|*.fish|*.zsh) continue ;; esac
  "$tool" --help >"$tmp/help"
  sed -nE 's/^  (-.), --.*/\1/p' "$tmp/help" >"$tmp/${tool##*/}"
  sed -nE 's/^  (-., |    )(--[a-z0-9-]*).*/\2/p' "$tmp/help" >>"$tmp/${tool##*/}"
done

# One command a line, behind its page: literal blocks and .Dl of the manual, blocks of
# shell in the pages of the repository.  A backslash at the end of a line joins two.
cat_commands() {
  awk '
    FNR == 1 { literal = 0 }
    FILENAME ~ /\.md$/ && /^```/ { literal = /^```(sh|console)/; next }
    /^\.Bd -literal/ { literal = 1; next }
    /^\.Ed/ { literal = 0; next }
    /^\.Dl / { line = substr($0, 5); emit(line); next }
    literal { line = $0; emit(line) }
    function emit(text) {
      sub(/^\$ /, "", text)
      sub(/ #.*/, "", text)
      if (text ~ /\\e?$/ || text ~ /\|$/) { sub(/\\e?$/, "", text); held = held text " "; return }
      text = held text; held = ""
      gsub(/\$\(|[|;&()<>]/, "\n", text)
      n = split(text, part, "\n")
      for (i = 1; i <= n; i++) {
        sub(/^[ \t]*(nice |time |do |then |[A-Z_]+=[^ ]* )*/, "", part[i])
        if (part[i] ~ /^oa-[a-z-]+( |$)/) print FILENAME, part[i]
      }
    }' "$@"
}
cat_commands man/*.[1-8] man/zh_CN/*.[1-8] README.md README.zh.md examples/*/README.md >"$tmp/commands"
[ "$(wc -l <"$tmp/commands")" -gt 60 ] || { echo "too few commands found"; exit 1; }
bad=0
# Commands are indented by 11 of the 78 columns that a page has on a terminal of 80.
long=$(awk '
  FNR == 1 || /^\.Ed/ { literal = 0 }
  /^\.Bd -literal/ { literal = 1 }
  (literal || sub(/^\.Dl /, "")) && /oa-[a-z]/ && length($0) > (literal ? 69 : 67) {
    print FILENAME ": " $0
  }' man/*.[1-8] man/zh_CN/*.[1-8])
[ -z "$long" ] || { echo "wraps without a backslash: $long"; bad=1; }
while read -r page tool rest; do
  if [ ! -e "$tmp/$tool" ]; then
    echo "$page: $tool $rest: no such tool"
    bad=1
    continue
  fi
  for option in $(echo "$rest" | grep -oE '(^| )--?[a-z][a-z0-9-]*' | sed 's/^ //'); do
    case $option in
      --*) grep -qx -e "$option" "$tmp/$tool" ;;
      *) grep -qx -e "$(echo "$option" | cut -c 1-2)" "$tmp/$tool" ;;
    esac || { echo "$page: $tool $rest: no option $option"; bad=1; }
  done
done <"$tmp/commands"
exit $bad
