# Colour only on request; terminal.sh has the rest.
s=$DATA/stream/v1/ok/empty.oa
esc=$(printf '\033')
count() { grep -c "$esc" || :; }
oa-view "$s" | count
oa-view --color always "$s" | count
NO_COLOR=1 oa-view --color always "$s" | count
oa-view --color never "$s" | count
