# the same bytes with one thread and with several, and for the beginning of a longer set
for task in recall induction copy superposed scenes; do
  oa-tasks $task -o one --train 123 --test 56 -j1
  oa-tasks $task -o many --train 123 --test 56 -j3
  oa-tasks $task -o short --train 20 --test 10
  oa-tasks $task -o other --train 20 --test 10 --seed 2
  echo "$task"
  for file in one/*; do
    cmp "$file" "many/${file#one/}"
  done
  targets=$(cd one && ls train-targets-*)
  head=$((4 + 4 * ($(echo "$targets" | tr -dc 0-9))))
  body() { tail -c +$((head + 1)) "$1/$targets" | head -c 160; }
  body one >a
  body short | cmp - a
  body other | cmp -s - a && echo "seeds 1 and 2 draw the same"
  cat one/task.json
  (cd one && cksum train-tokens* train-targets* 2>/dev/null)
  rm -r one many short other
done
