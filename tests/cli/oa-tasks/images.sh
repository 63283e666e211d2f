# pictures of a file in place of the built-in digits, and files that do not suit
oa-digits -o digits --train 600 --test 10
images=digits/train-images-idx3-ubyte
oa-tasks scenes -o a --train 3 --test 2 --images $images
oa-view a/train-images-idx3-ubyte
oa-tasks superposed -o b --pictures --train 2 --test 2 --memory 8 --images $images
ls b
oa-tasks superposed -o c --pictures --memory 40 --labels 40 \
  --images digits/t10k-images-idx3-ubyte; echo "status $?"
cp $images alone
status oa-tasks scenes -o c --images alone
status oa-tasks scenes -o c --images digits/t10k-images-idx3-ubyte
status oa-tasks scenes -o c --images digits/task.json
status oa-tasks scenes -o c --images none
ls
