# A pack without free variables goes to the machine and back, too.
exec 2>&1
make-stream --variables 1 --images 2 --queries 2 -o in.oa
trip() {
  rm -rf r mat*
  oa-cim-pack -q --precision best -o "$@" in.oa &&
    oa-cim-sim "$1" -o r ${format:+--format $format} &&
    oa-cim-ingest mat.manifest r -o out.oa
  echo "status $?, $(ls r | wc -l) results"
  oa-view --check out.oa
}
trip mat.tar.gz
format=ising trip mat.tar.gz --format ising
format= trip mat --folder
oa-cim-pack -q --precision best --tasks-per-upload 20 -o few.tar.gz in.oa && ls few*
# A folder of other files is not an upload.
mkdir notes && echo "?" >notes/README && oa-cim-sim notes -o s
echo "status $?"
oa-anneal -q in.oa -o exact.oa
python3 "$CASE_DIR/../../ref/same_x.py" exact.oa out.oa
