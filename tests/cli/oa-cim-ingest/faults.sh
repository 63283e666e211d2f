# Errors are reported, counted, and in the status; --missing decides about missing results.
make-stream --variables 8 --images 3 -o in.oa
oa-cim-pack -q -o mat.tar.gz in.oa
oa-cim-sim mat.tar.gz -o r --reads 8 --drop 2 --fail 1 --duplicate 1
try() {
  echo "--- $*"
  oa-cim-ingest "$@"
  status=$?
  ls out.oa 2>/dev/null && oa-view --check out.oa
  rm -f out.oa
  echo "status $status"
}
exec 2>&1
try mat.manifest r -o out.oa
for how in skip exact original; do
  try -q mat.manifest r -o out.oa --missing $how
done
oa-cim-pack -q --only 0-11 --folder -o again in.oa && oa-cim-sim again -o more --reads 8
try -q mat.manifest r more -o out.oa
rm -rf r && oa-cim-sim mat.tar.gz -o r --reads 8 --corrupt 2
try mat.manifest r -o out.oa --missing exact
