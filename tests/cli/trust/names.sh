# Blanks, quotes, newlines and bytes that are no UTF-8 in the names of folders: the same
# results, and errors are one line all the same.
. "$CASE_DIR/inputs"
each() { in_folder plain; }
each_case each
odd=$(printf 'a b\n-o "c" \047$(d) \377\303')
mkdir "$odd"
mv in "$odd/in"
in=$PWD/$odd/in
each() { in_folder "$odd/odd"; }
each_case each
# Two of them print the name of what they read.
diff -r -x check.out -x single.out plain "$odd/odd" && echo same
wc -l <"$odd/odd/check.out"
wc -l <"$odd/odd/single.out"
for tool in oa-view oa-anneal oa-score oa-cim-pack; do
  $tool "$in/none" 2>err >out
  echo "status $?, $(wc -l <err) line"
done
