# Results among 10,000 foreign files, matrices among as many.
. "$CASE_DIR/inputs"
for folder in results mat; do
  (cd in/$folder && seq -f 'other %.0f.txt' 10000 | tr '\n' '\0' | xargs -0 touch)
done
status oa-cim-ingest in/mat.manifest in/results -o r.oa --json 2>json
tr , '\n' <json | grep -e tasks -e received -e ignored
status oa-cim-sim -q in/mat -o results
ls results | wc -l
