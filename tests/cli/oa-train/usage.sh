# Invalid options are refused before anything is read.
oa-train -o m.bin --seeds 1-2000; echo "status $?"
oa-train -o - ; echo "status $?"
oa-train; echo "status $?"
oa-train -o m.bin --attention none; echo "status $?"
oa-train -o m.bin --seeds 1-2 --resume c; echo "status $?"
ls -A
