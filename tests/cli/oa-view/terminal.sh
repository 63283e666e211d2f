# Differences on a terminal: colour, progress, help without an operand, and no
# binary.
script -qec true /dev/null >/dev/null 2>&1 || { echo "no script(1), or no terminal for it to make"; exit 77; }
on_terminal() {
  script -qec "$1" /dev/null </dev/null | tr -d '\r'
}
esc=$(printf '\033')
s=$DATA/stream/v1/ok/problems.oa
on_terminal "oa-view --head 1 $s; echo status \$?"
on_terminal "make-stream; echo status \$?"
on_terminal "oa-view; echo status \$?" | grep -e Usage -e status
on_terminal "oa-view --check; echo status \$?" | grep -e Usage -e status
on_terminal "oa-view $s" | grep -c "$esc"
on_terminal "NO_COLOR=1 oa-view $s" | grep -c "$esc"
on_terminal "NO_COLOR= oa-view $s" | grep -c "$esc"
on_terminal "oa-view --color never $s" | grep -c "$esc"
# To a file or a pipe binary is fine, whatever the other streams are.
on_terminal "oa-view --head 1 $s | oa-view --check"
on_terminal "oa-view --head 1 $s -o one.oa; oa-view --check one.oa"
