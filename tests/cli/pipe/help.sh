# -h fits a small screen, --help begins like it, and the examples use existing options.
# -h of tools with many options lists the main ones; --help groups them all.
for tool in oa-anneal oa-bench oa-cim-ingest oa-cim-pack oa-cim-sim oa-digits oa-heatmap \
    oa-qubo oa-score oa-tasks oa-train oa-view; do
  $tool -h >brief && $tool --help >whole || echo "$tool: no help"
  [ "$(wc -l <brief)" -le 34 ] || echo "$tool: -h has more than 34 lines"
  head -n 4 brief >begins && head -n 4 whole | cmp -s - begins || echo "$tool: --help does not begin like -h"
  grep -q '^Examples:$' brief || echo "$tool: no examples"
  cat whole >>all
  sed -n '/^Examples:$/,/^$/p' brief >>examples
done
grep -o ' --[a-z-]*' examples | sort -u | while read -r option; do
  grep -q -e "$option" all || echo "no option $option"
done
oa-view -h
oa-train --help | grep '^[A-Z].*:$'
oa-anneal --help | grep '^[A-Z].*:$'
oa-score --version | sed "s, [-+], ?,g"
