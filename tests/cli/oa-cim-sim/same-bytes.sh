# The same seed gives the same results, whatever -j; another seed others.
make-stream --variables 6 -o in.oa
oa-cim-pack -q -o mat.tar.gz in.oa
oa-cim-sim mat.tar.gz -o a -j 1
oa-cim-sim mat.tar.gz -o b -j 3
oa-cim-sim mat.tar.gz -o c --seed 2
diff -r a b && ls a | head -n 4
diff -rq a c | wc -l
status oa-cim-sim mat.tar.gz -o d --drop 13
status oa-cim-sim in.oa -o e
