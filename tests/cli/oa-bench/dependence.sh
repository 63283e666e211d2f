# Which tokens outputs depend on: patterns that are known, as drawings and as lists.
oa-bench --dependence --n 6 --d 8 --kinds mlp,window:radius=1,pool,csr
oa-bench --dependence --n 4 --d 8 --kinds softmax --causal --json
oa-bench --dependence --n 9 --d 8 --kinds pool --json
oa-bench --dependence --n 257 --kinds mlp
