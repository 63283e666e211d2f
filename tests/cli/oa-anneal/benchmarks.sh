# Public instances, read as their names and contents say, proved or at their best-known
# values.
if [ -z "${OA_SHARED:-}" ]; then
  echo "skipped: OA_SHARED names no folder of public data"
  exit 77
fi
energy() {
  oa-anneal -q --no-times "$@" |
    sed 's|.*/\([^/"]*\)".*"energy":\([^,]*\),.*"status":"\([^"]*\)".*|\1 \2 \3|'
}
energy "$OA_SHARED"/cim/submitted/mat/*.csv
energy "$OA_SHARED/instances/bqp50-1.sparse"
energy --sense max "$OA_SHARED/instances/bqp50_1.qubo"
