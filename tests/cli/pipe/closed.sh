# A reader that ends makes SIGPIPE end the tool, silently, without leftovers.
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
# Also if the parent process ignores SIGPIPE.
trap "" PIPE
make-stream --images 3000 | head -c 100 >/dev/null
echo "${PIPESTATUS[@]}"
'
ls -A
