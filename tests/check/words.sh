# Sources, manuals and READMEs are free of the phrases below.  A line of the list: an extended
# regular expression for text in lower case, a tab, what to write instead.
# Usage: words.sh SOURCE
cd "$1" || exit 2
list=$(mktemp)
hits=$(mktemp)
trap 'rm -f "$list" "$hits"' EXIT
cat >"$list" <<'LIST'
(is|are|was|were) said([^a-z]|$)	is given, is set
(^|[^a-z])said of[^a-z]	given for, known about
(is|are) told (of|how|what|at|by|bounds)	is given
(what|that|which|who|such) (is|are) none([^a-z]|$)	name it: a line that is not a key
(are|is) none (of|at all)	not one of, no
way (there|back)([^a-z]|$)	forward pass, backward pass
no numbers?[ ,.;:]*(and|or|is|are)? ?(not)?$	NaN, not a number
(is|are|be|was) no numbers?([^a-z]|$)	is NaN, is not a number
lines ahead	prefetch
from behind	in reverse order, from the end
whoever	a user, a caller, a program
likewise	also, too
what becomes? of	the result of
what became of	the result of
of few (tokens|rows|columns|numbers|examples)	short, small
(^|[^a-z])at hand([^a-z]|$)	current
(^|[^a-z])shall([^a-z]|$)	must, is
(^|[^a-z"])tenths?([^a-z"]|$)	a number: 0.3
a (fifth|fourth|third|quarter) of the time	a number: 5 times faster
nine in ten	90 %
(is|are|was|were) gone([^a-z]|$)	was removed, is missing
(^|[^a-z_])dear(er)?([^a-z_]|$)	expensive
in any way	at all
(^|[^a-z])anew([^a-z]|$)	again
and (its|the) like([^a-z]|$)	and similar ones
there (is|are) none[^a-z]*such	nothing is
(^|[^a-z])thin (form|matri|product|factor|one)	low rank
(is|are|was) turned([.,;:]|$| and| or| by)	transposed, reversed, rotated
nothing (is|was) said	not given
what is there([^a-z]|$)	existing files, existing values
what is no[^tr]	name it: a word that is not a key
(^|[ /])of what (is|was|has)	name it
//[/<]* Of 	begin with a noun or a verb
//[/<]* (These|Those|The same|It|They|Its|Their|Others) 	begin with the noun: tiles, not these
//[/<]* All of (these|those|them)	name them: all tiles
//[/<]* As above	say what it does
(^|[^a-z])the others([.;:)]|$)	name them: other rows, all other keys
(^|[^a-z])stands? (for|in|at|before|beside|apart|without|there|where)([^a-z]|$)	is used, means, is, replaces
where (it|they) stands?([^a-z]|$)	at their place
(^|[^a-z_])begun (with|at|by|from|inside|first)([^a-z]|$)	started
one.s own	a user's, your, separate
LIST
# Folders by name, so that a build in the source folder is not read.
find lib tools tests man python examples packaging cmake CMakeLists.txt Makefile.dist README.md HACKING.md \
  SECURITY.md -type f \
  ! -path 'tests/data/*' ! -path 'tests/fuzz/corpus/*' ! -path 'man/zh_CN/*' ! -name words.sh \
  \( -name '*.cc' -o -name '*.h' -o -name '*.c' -o -name '*.sh' -o -name '*.awk' -o -name '*.py' \
  -o -name '*.[1-8]' -o -name '*.md' -o -name '*.out' -o -name '*.err' -o -name '*.txt' \
  -o -name '*.cmake' -o -name 'Makefile*' \) | sort | xargs awk -v list="$list" '
  BEGIN {
    while ((getline line < list) > 0) {
      tab = index(line, "\t")
      phrase[++n] = substr(line, 1, tab - 1)
      instead[n] = substr(line, tab + 1)
      exact[n] = phrase[n] ~ /[A-Z]/
    }
  }
  {
    lower = tolower($0)
    for (i = 1; i <= n; i++)
      if ((exact[i] ? $0 : lower) ~ phrase[i])
        print FILENAME ":" FNR ": " $0 "  [" instead[i] "]"
  }' >"$hits"
[ -s "$hits" ] || exit 0
cat "$hits"
echo "$(wc -l <"$hits") lines with phrases that a reader stops at (write instead: in brackets)"
exit 1
