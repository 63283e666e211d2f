# A data set of another program is replaced with --force only; our own at once.
oa-digits -q -o own --train 3 --test 2 && oa-digits -q -o own --train 4 --test 2 --seed 2 && oa-view own/train-labels-idx1-ubyte
mkdir mnist
echo precious >mnist/train-images-idx3-ubyte.gz
status oa-digits -q -o mnist --train 3 --test 2
ls mnist
status oa-tasks recall -q -o own --train 3 --test 2
oa-tasks recall -q -o task --train 3 --test 2 && oa-tasks recall -q -o task --train 4 --test 2 --pairs 3 && ls task
status oa-tasks induction -q -o task --train 3 --test 2
status oa-digits -q -o task --train 3 --test 2
echo '{broken' >own/task.json
status oa-digits -q -o own --train 3 --test 2
oa-digits -q --force -o own --train 3 --test 2 && cat own/task.json
mkdir notes
echo mine >notes/readme.txt
oa-digits -q -o notes --train 3 --test 2 && cat notes/readme.txt
