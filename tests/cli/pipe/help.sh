# -h fits a small screen and --help begins with it; examples use options that there are.
for tool in oa-anneal oa-bench oa-cim-ingest oa-cim-pack oa-cim-sim oa-digits oa-heatmap \
    oa-qubo oa-score oa-tasks oa-train oa-view; do
  $tool -h >brief && $tool --help >whole || echo "$tool: no help"
  [ "$(wc -l <brief)" -le 10 ] || echo "$tool: -h has more than ten lines"
  head -n 4 brief >begins && head -n 4 whole | cmp -s - begins || echo "$tool: another beginning"
  grep -q '^Examples:$' brief || echo "$tool: no examples"
  cat whole >>all
  sed -n '/^Examples:$/,/^$/p' brief >>examples
done
grep -o ' --[a-z-]*' examples | sort -u | while read -r option; do
  grep -q -e "$option" all || echo "no option $option"
done
oa-score -h
oa-score --version | sed "s, [-+], ?,g"
