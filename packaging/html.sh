#!/bin/sh
# The manual as linked HTML pages, by mandoc: FOLDER/index.html is oa(7), FOLDER/zh_CN the
# pages in Chinese.  A link goes to a page that is there: from a translation to the English
# page where there is no other, and names of the system's pages are plain text.
# Usage: html.sh MAN FOLDER
set -eu
man=$1 to=$2
command -v mandoc >/dev/null || { echo "html.sh: no mandoc (a package of that name)" >&2; exit 1; }
rm -rf "$to"
mkdir -p "$to/zh_CN"
cat >"$to/style.css" <<'END'
body { max-width: 46em; margin: 1em auto; padding: 0 1em; font: 1em/1.5 sans-serif;
  color: #222; background: #fff; overflow-wrap: break-word; }
a { color: #0072b2; }
h1 { font-size: 1.2em; margin: 1.5em 0 .3em; }
h2 { font-size: 1.05em; margin: 1.2em 0 .3em; }
pre, code, .Li { font-family: monospace; }
code.Fl, code.Nm, .Bd-indent code { white-space: nowrap; }
pre, .Bd-indent { overflow-x: auto; background: #f4f4f4; padding: .5em; }
table { border-collapse: collapse; }
table.Bl-column { display: block; overflow-x: auto; }
td { padding: .1em .6em .1em 0; vertical-align: top; }
table.head, table.foot { width: 100%; color: #666; font-size: .85em; }
td.head-rtitle, td.foot-os { text-align: right; }
td.head-vol { text-align: center; }
dd { margin: 0 0 .5em 2em; }
.Bl-compact dd { margin-bottom: 0; }
@media (max-width: 30em) { dd { margin-left: 1em; } td.head-vol { display: none; } }
@media (prefers-color-scheme: dark) { body { color: #ddd; background: #1a1a1a; }
  pre, .Bd-indent { background: #2a2a2a; } a { color: #56b4e9; } }
END

# page SOURCE TARGET STYLE LANGUAGE
page() {
  mandoc -K utf-8 -T html -O "man=%N.%S.html,style=$3" "$1" |
    sed 's/<html>/<html lang="'"$4"'">/
      s/<meta charset="utf-8"\/>/&<meta name="viewport" content="width=device-width, initial-scale=1"\/>/' >"$2"
  for link in $(sed -n 's/.*/&/; s/href="/\n&/gp' "$2" | sed -n 's/^href="\([a-zA-Z0-9._-]*\.html\)".*/\1/p' | sort -u); do
    source=${link%.html}
    if [ "$4" = zh ] && [ -e "$man/zh_CN/$source" ]; then
      continue
    elif [ -e "$man/$source" ]; then
      [ "$4" = en ] || sed -i "s|href=\"$link\"|href=\"../$link\"|g" "$2"
    else
      sed -i "s|<a class=\"Xr\" href=\"$link\">\([^<]*\)</a>|\1|g" "$2"
    fi
  done
}

for source in "$man"/*.[1-8]; do
  page "$source" "$to/${source##*/}.html" style.css en
done
for source in "$man"/zh_CN/*.[1-8]; do
  page "$source" "$to/zh_CN/${source##*/}.html" ../style.css zh
done
cp "$to/oa.7.html" "$to/index.html"
cp "$to/zh_CN/oa.7.html" "$to/zh_CN/index.html"
