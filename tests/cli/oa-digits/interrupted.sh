# SIGTERM: status 130, and neither files nor the folder remain
oa-digits -o d --train 10000000 &
until ls d/.train-images* >/dev/null 2>&1; do
  kill -0 $! || exit 1
done
kill -TERM $!
status wait $!
ls -A
