# Files get the permissions that umask leaves; those of a file that is replaced are kept.
. "$CASE_DIR/inputs"
umask 077
each() { in_folder private; }
each_case each
find private -mindepth 2 -type f -printf '%m\n' | sort | uniq -c | sed 's/^ *[0-9]* //'
find private -mindepth 2 -type d -printf '%m\n' | sort -u
chmod 640 private/anneal/s.oa
oa-anneal -q --no-times in/p.oa -o private/anneal/s.oa
stat -c %a private/anneal/s.oa
