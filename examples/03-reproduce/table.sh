# The measurements with several levels, as a table.  Usage: table.sh FOLDER NAME...
# A name is levels+encoding+way, whose files are NAME.posed.json, NAME.solved.json where oa-anneal
# solved it, NAME.score.json and NAME.gap.json.
set -eu
folder=$1
shift

# The last number called KEY in a file; empty if there is no such file.
value() {
  [ ! -e "$folder/$1.json" ] || grep -o "\"$2\":[^],}]*" "$folder/$1.json" | tail -n 1 | cut -d : -f 2
}

echo 'levels,encoding,way,images,accuracy,spins,violated,queries,optimal,seconds,seconds_median,seconds_max,nodes_median,nodes_max'
for name in "$@"; do
  spins=$(value "$name.posed" spins)
  [ -n "$spins" ] || spins=$(value "$name.posed" variables) # two levels: a spin for each
  echo "$name,$(grep -o '"images":[0-9]*' "$folder/$name.score.json" | head -n 1 | cut -d : -f 2),\
$(grep -o '"accuracy":[^,]*' "$folder/$name.score.json" | head -n 1 | cut -d : -f 2),\
$spins,$(value "$name.score" violated),$(value "$name.score" qubos),\
$(value "$name.gap" optimal),$(value "$name.score" seconds_solving),\
$(value "$name.score" seconds_median),$(value "$name.score" seconds_max),\
$(value "$name.solved" nodes_median),$(value "$name.solved" nodes_max)" | tr + ,
done
