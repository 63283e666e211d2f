# Results under their tasks' names: nothing overwritten, the second time nothing to do.
make-stream --variables 8 --images 1 --queries 3 -o in.oa
oa-cim-pack -q --name Nice -o mat.tar.gz in.oa
oa-cim-sim mat.tar.gz -o r --reads 8 --shuffle-names
oa-cim-ingest -q mat.manifest r --rename-to named --dry-run
ls -A named 2>/dev/null
oa-cim-ingest -q mat.manifest r --rename-to named
echo "status $?" && ls named
sha256sum named/* >before
oa-cim-ingest -q mat.manifest r --rename-to named -o out.oa
echo "status $?" && sha256sum -c --quiet before
oa-cim-ingest -q mat.manifest named --rename-to named && ls named | wc -l
echo spoilt >named/Nice1.log
oa-cim-ingest mat.manifest r --rename-to named 2>&1 >/dev/null | grep 'not copied'
cat named/Nice1.log
status oa-cim-ingest mat.manifest --dry-run r
