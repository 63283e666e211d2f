# The exercises of the chapter: steps, our answer, the published one and why they differ.
for k in 1 2 3 4 5 6 7 8; do
  oa-bench --exercise $k
done
oa-bench --exercise 3 --json
