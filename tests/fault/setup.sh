# To be sourced, with $fault its folder: the commands of all steps of the pipeline and
# some others (the file `cases`), and their input.

# Fills an empty folder with input: two images at most, of four problems in four
# variables.  The system calls are those of larger ones.
make_inputs() {
  (
    cd "$1" &&
      oa-digits -q -o d --train 30 --test 2 &&
      oa-train d -q -o m.bin --recipe reference --epochs 1 --held-out 10 --patch 14 \
        --dim 2 --batch 10 -j 1 &&
      oa-qubo -q m.bin d/t10k-images-idx3-ubyte -o p.oa &&
      gzip -nk p.oa &&
      oa-anneal -q --no-times p.oa -o s.oa &&
      oa-score -q s.oa --csv s.csv >/dev/null &&
      oa-cim-pack -q p.oa -o mat.tar.gz &&
      oa-cim-pack -q p.oa --folder -o mat &&
      oa-cim-sim -q mat.tar.gz -o results &&
      tar cf results.tar results &&
      printf '0 1 2.5\n1 1 -1\n' >a.coo
  )
}

# Calls $1 for each case, with $name and $command; a command reads from $in and writes to
# standard output or to the folder it is in.
each_case() {
  while read -r name command <&3; do
    "$1"
  done 3<"$fault/cases"
}

# Runs the case in a folder of its own, $1/$name; sets $status and writes $1/$name.out.
in_folder() {
  mkdir -p "$1/$name"
  (cd "$1/$name" && eval "$command") >"$1/$name.out" 2>"$1/$name.err"
  status=$?
}

# numbers N MOST: 1 to N, or MOST of them, chosen evenly, first and last included
numbers() {
  awk -v n="$1" -v most="$2" 'BEGIN {
    if (n <= most) for (k = 1; k <= n; ++k) print k
    else for (i = 0; i < most; ++i) print (most == 1 ? n : 1 + int(i * (n - 1) / (most - 1)))
  }'
}

# by_case JOBS SCRIPT TOOLS LIBRARY MOST CASE...: runs the script for each case, JOBS at
# once, and prints their tables as one; fails if one of them fails.
by_case() {
  (
    jobs=$1 script=$2 tools=$3 library=$4 most=$5
    shift 5
    parts=$(mktemp -d) || exit 99
    trap 'rm -rf "$parts"' EXIT
    printf '%s\n' "$@" | xargs -P "$jobs" -I NAME sh -c \
      'sh "$0" -j 1 "$1" "$2" "$3" NAME >"$4/NAME"' "$script" "$tools" "$library" "$most" "$parts"
    status=$?
    cd "$parts" || exit 99
    awk -F '|' '
      FNR <= 2 && NR > FNR { next }  # one head for the whole table
      /^[0-9]+ times wrong$/ { bad += $1; next }
      $2 !~ /^ all / { print; next }
      {
        row = "|" $2
        for (i = 3; i < NF; ++i) {
          all[i] += $i
          row = row "|" sprintf("%" length($i) - 1 "s ", $i ~ /[0-9]/ ? all[i] : "")
        }
      }
      END { print row "|"; print bad " times wrong" }' "$@"
    exit $status
  )
}
