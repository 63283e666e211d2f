# 4 GiB that a file of 100 bytes claims are not reserved, even where nobody knows how
# long it is; and where memory ends, status 4.
limit=200000
(ulimit -v $limit && oa-view --version) >/dev/null 2>&1 ||
  { echo "cannot run with 200 MB of address space (a sanitizer?)"; exit 77; }
for file in model/v1/bad/4gib-data.bin model/v1/bad/4gib-header.bin \
    npy/v1/bad/claim.npy npy/v1/bad/4gib-header.npy idx/v1/bad/claim.idx; do
  (ulimit -v $limit && cat "$DATA/$file" | oa-view --check) 2>&1
  echo "status $?"
done
# Memory does not grow: a hundred times 4 MB pass through.
make-stream --images 10 --variables 1000 --queries 1 --width 1 -o big.oa
(ulimit -v $limit
 for i in 0 1 2 3 4 5 6 7 8 9; do cat big.oa; done |
   oa-view --select 0-9 | wc -c)
# A gzip file that unpacks to more memory than the machine has.
(ulimit -v $limit
 { printf '\223NUMPY\1\0\166\0'
   printf '%-117s\n' "{'descr': '|u1', 'fortran_order': False, 'shape': (200000000,), }"
   head -c 200000000 /dev/zero; } | gzip -1 | oa-view --check)
echo "status $?"
