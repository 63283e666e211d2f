# A limit on the size of files is a full disk, not death by SIGXFSZ.
(ulimit -f 8 && make-stream --images 1000 -o s.oa)
echo "status $?"
ls -A
