# Which approximations are measured; their errors are in the unit tests.
command -v jq >/dev/null || { echo "no jq"; exit 77; }
oa-bench --attention-error --json >errors.json
jq -c '.approximations[]|[.spread,.method,.size,.weights>0,.outputs>0,.bound!=null]' errors.json |
  grep '^\[1'
jq -c '[.approximations[].spread]|unique' errors.json
oa-bench --attention-error | sed 's/[0-9.]\{6\}/#/g; s/> 1000/#/; s/  */ /g' | head -n 6
