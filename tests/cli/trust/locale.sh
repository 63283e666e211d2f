# A locale with a decimal comma changes nothing.
. "$CASE_DIR/inputs"
mkdir locales
localedef -i de_DE -f UTF-8 "$PWD/locales/de_DE.UTF-8" >/dev/null 2>&1
LOCPATH=$PWD/locales
export LOCPATH
comma=$(LC_ALL=de_DE.UTF-8 locale decimal_point 2>/dev/null)
[ "$comma" = , ] || { echo "cannot make the locale de_DE (localedef of package locales)"; exit 77; }
each() { in_folder point; }
each_case each
LC_ALL=de_DE.UTF-8
export LC_ALL
each() { in_folder comma; }
each_case each
diff -r point comma && echo same
LC_ALL=de_DE.UTF-8 oa-anneal --no-times -q --format coo in/a.coo | grep -o '"energy":[^,]*,"bound":[^,]*,"gap":[^,]*'
