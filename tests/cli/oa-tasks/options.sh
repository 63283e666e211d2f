# every option of every task reaches the files
try() {
  oa-tasks "$@" -o d --train 3 --test 2 --seed 7
  cat d/task.json
  (cd d && wc -c [t]*-* | grep -v total | sed 's/^ *//')
  rm -r d
}
try recall --pairs 2 --keys 3
try induction --length 10 --period-min 2 --period-max 4 --vocabulary 5
try copy --vocabulary 3 --tokens 2 --places 4
try superposed --memory 6 --sum 2 --width 3 --noise 0 --labels 7 --asking 1
try superposed --memory 3 --sum 1 --asking 1 --pictures
try scenes --cells 3 --digits-min 1 --digits-max 2 --clutter 4
