# a file in the way is no folder; one that cannot be replaced stays, and so do other files
echo mine >d
status oa-digits -o d --train 3 --test 3
cat d
mkdir -p e/t10k-images-idx3-ubyte
status oa-digits -o e --train 3 --test 3
ls -A e
