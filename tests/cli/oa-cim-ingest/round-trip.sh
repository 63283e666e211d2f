# Through the practice machine and back: as a folder, in archives, merged, as spins, under
# wrong names.  What comes back are the optima of the problems submitted.
make-stream --variables 8 --images 3 -o in.oa
trip() {
  rm -rf r mat.*
  oa-cim-pack -q -o mat.tar.gz "$@" in.oa &&
    oa-cim-sim mat.tar.gz -o r --reads 8 ${format:+--format $format}
}
count() {
  python3 -c 'import json, sys; r = json.load(sys.stdin)
print(*(f"{k} {r[k]}" for k in ("tasks", "received", "duplicate", "energies_verified",
  "best_is_optimal", "renamed", "reports")))'
}
same() {
  python3 "$CASE_DIR/../../ref/same_x.py" "$@"
}
trip
oa-cim-ingest --json mat.manifest r -o folder.oa 2>&1 | count
oa-view --check folder.oa
tar cf logs.tar r/*.log && tar czf reports.tgz r/*.pdf
oa-cim-ingest --json mat.manifest reports.tgz logs.tar r/*_03.log -o tar.oa 2>&1 | count
same folder.oa tar.oa
rm -rf s && oa-cim-sim mat.tar.gz -o s --reads 8 --shuffle-names
oa-cim-ingest --verbose mat.manifest s -o names.oa 2>&1 | grep -c 'its name is of task'
oa-cim-ingest mat.manifest s -o names.oa 2>&1 | grep 'names of other tasks' | cut -d ';' -f 1
same folder.oa names.oa
trip --merge --spins 20
oa-cim-ingest --json mat.manifest r -o merged.oa 2>&1 | count
trip --merge --spins 30 --precision best
oa-cim-ingest --json mat.manifest r -o best.oa 2>&1 | count
format=ising trip --merge --spins 30 --precision best --format ising
oa-cim-ingest --json mat.manifest r -o ising.oa 2>&1 | count
oa-anneal -q in.oa -o exact.oa
same exact.oa best.oa ising.oa
