# bad command lines leave no folder
status oa-digits
status oa-digits -o -
status oa-digits -o d --train -1
status oa-digits -o d --test 1e3
status oa-digits -o d --seed x
status oa-digits -o d surplus
ls
