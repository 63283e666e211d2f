# Invalid options are refused before anything is read.
status oa-train -o m.bin --seeds 1-2000
status oa-train -o - 
status oa-train
status oa-train -o m.bin --attention none
status oa-train -o m.bin --seeds 1-2 --resume c
ls -A
