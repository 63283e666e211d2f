# Progress only on a terminal and without -q; it leaves no trace.
script -qec true /dev/null >/dev/null 2>&1 || { echo "no script(1), or no terminal for it to make"; exit 77; }
# A reader that lets the tool wait, so that there is progress to show on any machine.
slow='{ sleep 0.3; cat >/dev/null; }'
make="make-stream --images 3000"
script -qec "$make | $slow" /dev/null </dev/null >shown
grep -q 'make-stream: making  [0-9,]*/3,000  [0-9]*%  [0-9,.]*/s  0:[0-9]* left' shown ||
  cat -v shown
tail -c 4 shown | od -c | head -n 1
script -qec "$make -q | $slow" /dev/null </dev/null
script -qec "$make 2>err | $slow" /dev/null </dev/null
$make 2>>err | sh -c "$slow"
cat err
