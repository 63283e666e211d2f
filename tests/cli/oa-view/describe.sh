# The description of each kind of file.
cd "$DATA"
for file in stream/v1/ok/problems.oa stream/v1/ok/top.oa stream/v1/ok/real.oa \
    stream/v1/ok/incomplete.oa stream/v1/ok/two-parts.oa stream/v1/ok/foreign.oa \
    model/v1/ok/misaligned.bin model/v1/ok/types.bin npy/v1/ok/columns.npy \
    idx/v1/ok/images.idx.gz idx/v1/ok/labels.idx; do
  echo "--- $file"
  oa-view "$file" 2>&1
  echo "--- $? --check $file"
  oa-view --check "$file" 2>&1
  echo "--- $?"
done
echo "--- -v"
oa-view -v stream/v1/ok/top.oa
