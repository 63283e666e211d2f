# bad command lines leave no folder
try() { status oa-tasks "$@"; }
try recall
try -o d
try recall -o -
try sums -o d
try recall -o d --train -1
try recall -o d --pairs 0
try recall -o d --pairs 40
try recall -o d --sum 3
try copy -o d --pictures
try scenes -o d --pictures
try superposed -o d --images x
try superposed -o d --pictures --noise 0.1
try superposed -o d --pictures --width 9
try induction -o d --period-max 33
try scenes -o d --clutter 45
ls
