# A reader that goes away ends a tool by SIGPIPE, silently, and nothing is left.
command -v bash >/dev/null || { echo "no bash to see PIPESTATUS"; exit 77; }
bash -c '
make-stream --images 3000 | head -c 100 >/dev/null
echo "${PIPESTATUS[@]}"
make-stream --images 3000 | oa-view --head 1 | oa-view --check
echo "${PIPESTATUS[@]}"
make-stream --images 3000 | oa-view -v | head -n 2
echo "${PIPESTATUS[@]}"
make-stream -j 3 --images 3000 | true
echo "${PIPESTATUS[@]}"
# Also where whoever started the tool ignores SIGPIPE.
trap "" PIPE
make-stream --images 3000 | head -c 100 >/dev/null
echo "${PIPESTATUS[@]}"
'
ls -A
