# bad command lines leave no folder
oa-digits; echo "status $?"
oa-digits -o -; echo "status $?"
oa-digits -o d --train -1; echo "status $?"
oa-digits -o d --test 1e3; echo "status $?"
oa-digits -o d --seed x; echo "status $?"
oa-digits -o d surplus; echo "status $?"
ls
