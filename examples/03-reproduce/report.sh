# Writes OUT/report.html and OUT/report.md from the files of a run.
# Usage: report.sh OUT IMAGE [REFERENCE]
set -eu
out=$1 image=$2 reference=${3:-}
html=$out/report.html.part md=$out/report.md.part
here=$(dirname "$0")

# -- reading: first number, or text, called KEY in a JSON file of one line
value() {
  [ -e "$1" ] || return 0
  grep -o "\"$2\":[^],}]*" "$1" | head -n 1 | cut -d : -f 2- | tr -d '["'
}

percent() { # SHARE [DECIMALS]
  awk -v v="$1" -v d="${2:-2}" 'BEGIN { if (v == "" || v == "null") print "–"; else printf "%.*f %%\n", d, 100 * v }'
}

number() { # VALUE FORMAT
  awk -v v="$1" -v f="$2" 'BEGIN { if (v == "" || v == "null") print "–"; else printf f "\n", v }'
}

# "93.10 % (92.59 to 93.58)" of a report of oa-score
accuracy() {
  [ -e "$1" ] || { echo –; return; }
  echo "$(percent "$(value "$1" accuracy)") ($(percent "$(value "$1" accuracy_low)" 1) to $(percent "$(value "$1" accuracy_high)" 1))"
}

# -- writing: both files at once
escape() {
  sed 's/&/\&amp;/g; s/</\&lt;/g; s/>/\&gt;/g'
}

heading() {
  printf '<h2>%s</h2>\n' "$1" >>"$html"
  printf '\n## %s\n\n' "$1" >>"$md"
}

text() {
  printf '<p>%s</p>\n' "$1" >>"$html"
  printf '%s\n\n' "$1" >>"$md"
}

# Rows of cells separated by '|' on standard input, the first the names of the columns.
table() {
  cat >"$out/table.part"
  {
    escape <"$out/table.part" | awk -F '|' '{
      if (NR == 1) print "<div class=\"wide\"><table" (NF > 10 ? " class=\"dense\"" : "") ">"
      cell = NR == 1 ? "th" : "td"
      printf "<tr>"
      for (i = 1; i <= NF; i++) printf "<%s>%s</%s>", cell, $i, cell
      print "</tr>"
    }'
    echo '</table></div>'
  } >>"$html"
  awk -F '|' '{
    print "| " $0 " |"
    if (NR == 1) { for (i = 1; i <= NF; i++) printf "| --- "; print "|" }
  }' "$out/table.part" | sed 's/|/ | /g; s/^ *| *|* */| /; s/ *| *$/ |/; s/  */ /g' >>"$md"
  echo >>"$md"
  rm "$out/table.part"
}

# A picture of OUT, or of this folder.  What it calls by name gets a name of its own.
figures=0
figure() {
  file=$out/$1
  [ -e "$file" ] || file=$here/$1
  [ -e "$file" ] || return 0
  figures=$((figures + 1))
  {
    echo '<figure>'
    sed "1{/^<?xml/d}; s/ id=\"/&f$figures-/g; s/href=\"#/&f$figures-/g; s/url(#/&f$figures-/g" "$file"
    printf '<figcaption>%s</figcaption>\n</figure>\n' "$2"
  } >>"$html"
  [ "$file" = "$out/$1" ] || cp "$file" "$out/$1"
  printf '![%s](%s)\n\n*%s*\n\n' "$2" "$1" "$2" >>"$md"
}

# -- the page
cat >"$html" <<'END'
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Optimizing Attention, reproduced</title>
<style>
body { font: 16px/1.5 sans-serif; color: #222; max-width: 62rem; margin: 0 auto; padding: 1rem; }
h1, h2 { line-height: 1.2; color: #241942; }
h2 { margin-top: 2.5rem; border-bottom: 2px solid #e49f1b; }
figure { margin: 1.5rem 0; }
figure svg { max-width: 100%; height: auto; }
figcaption { color: #666; font-size: .9rem; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; font-size: .95rem; }
.dense { font-size: .75rem; } .dense td, .dense th { padding: .25rem .3rem; }
th, td { padding: .25rem .75rem; text-align: right; border-bottom: 1px solid #ddd; white-space: nowrap; }
th:first-child, td:first-child { text-align: left; }
pre { white-space: pre-wrap; background: #f6f5f8; padding: .75rem; font-size: .8rem; overflow-wrap: anywhere; }
@media screen and (max-width: 45rem) { figure { overflow-x: auto; } figure svg { max-width: none; } figcaption { position: sticky; left: 0; } }
@media print { h2 { break-after: avoid; } figure, tr { break-inside: avoid; } body { max-width: none; } }
</style>
</head>
<body>
<h1>Optimizing Attention, reproduced</h1>
END
echo '# Optimizing Attention, reproduced' >"$md"
text "This page has an attention layer whose coefficients solve an optimisation problem: trained, solved and scored by the oa tools, and compared with the public reproduction. Every number comes from a file of this run, except published ones."

heading 'The model'
figure model.svg 'Each query is approximated by a sum of a few values. With 0/1 coefficients this is a quadratic unconstrained binary problem, a QUBO, for each query.'
figure patches.svg "Image $image in its patches, and the values that each of its queries chooses, proved optimal; below each query its energy."

heading 'Accuracy'
text "On $(value "$out/binary.score.json" labelled) test images, with 95 % intervals (Wilson). Published: the mean over batches after the last epoch, on MNIST."
{
  echo 'model|published|reproduced'
  for model in binary continuous softmax mlp; do
    published=$(awk -v m=$model '$1 == m { print $2 " %" }' "$here/published.txt")
    echo "$model|$published|$(accuracy "$out/$model.score.json")"
  done
  echo "best recipe||$(accuracy "$out/best.score.json")"
} | table
figure confusion.svg 'The best recipe: true and predicted classes.'

heading 'Training'
figure curves.svg 'The reference recipe, trained here.'
figure published-curves.svg 'As published.'

heading 'What attention brings'
text 'Models with another layer instead of optimising attention: none (mlp), the mean of all values (uniform), the query itself (query); and with ten learned queries instead of one for each patch (learned).'
base=$(value "$out/binary.score.json" accuracy)
{
  echo 'attention|accuracy|points that binary coefficients gain over it'
  for model in binary mlp uniform query learned softmax; do
    share=$(value "$out/$model.score.json" accuracy)
    gain=$(awk -v a="$base" -v b="$share" 'BEGIN { printf "%+.1f", 100 * (a - b) }')
    [ $model != binary ] || gain=
    echo "$model|$(accuracy "$out/$model.score.json")|$gain"
  done
} | table
figure ablations.svg 'Ablations and the best recipe.'

heading 'Solvers'
text "The problems of the first $(value "$out/solved/exact.score.json" images) test images by the binary model, $(value "$out/solved/exact.json" qubos) QUBOs. Times are those of one processor core."
{
  echo 'solver|accuracy|optimal|worst gap|mean gap|microseconds a QUBO|proved'
  for file in "$out"/solved/*.score.json; do
    solver=$(basename "$file" .score.json)
    run=$(tr '{' '\n' <"$out/gaps.json" | grep "\"name\":\"$solver\"" | sed 's/^/{/')
    echo "$run" >"$out/run.part"
    total=$(value "$out/run.part" problems)
    echo "$solver|$(accuracy "$file")|$(awk -v a="$(value "$out/run.part" optimal)" -v b="$total" 'BEGIN { printf "%.2f %%", 100 * a / b }')|$(percent "$(value "$out/run.part" gap_worst)" 3)|$(percent "$(value "$out/run.part" gap_mean)" 4)|$(awk -v s="$(value "$file" seconds_solving)" -v q="$(value "$file" qubos)" 'BEGIN { printf "%.1f", 1e6 * s / q }')|$(value "$file" proved_optimal)"
  done
  rm -f "$out/run.part"
} | table
figure gaps.svg 'The share of problems that each solver solves to within a gap of the proved optimum.'
figure boxplot.svg 'The probability of the true class by exact solutions, ADMM and simulated annealing with the schedule of the vendor.'
figure published-boxplot.svg 'The same two as published, on the first 1,000 images of MNIST.'

heading 'Levels'
text "The continuous model (the published weights, if given), with coefficients of a few levels: two levels make a QUBO of 0/1 variables, more take several spins each. auto solves in levels, with proof, independent of the encoding; annealers search the spins; exact proves the QUBO of the spins, with at most 0.1 s for each; admm rounds the relaxation to the nearest levels; machine is the simulated machine of oa-cim-sim, with matrices of 8 bits. Violated counts coefficients whose spins the encoding does not allow; they are repaired to the nearest level. Optimal counts queries whose energy is the proved optimum over the levels. Continuous is the model itself, on all images. Trained binary is the model whose coefficients were 0 or 1 in training: posing a continuous one so costs less. Times are those of one processor core. Nodes are those of the trees that are searched for a proof."
{
  echo 'levels|encoding|way|images|accuracy|spins a query|an image|violated|optimal|microseconds a query|median|worst|nodes, median|worst'
  awk -F , 'NR > 1 {
    printf "%s|%s|%s|%s|%.2f %%|%s|%s|%s|%.1f %%|%s|%s\n", $1, ($3 == "auto" || $3 == "admm" ? "any" : $2), $3, $4, 100 * $5, $6, $6 * $8 / $4, $7,
      100 * $9 / $8, ($3 == "machine" ? "||" : sprintf("%.1f|%.1f|%.0f", 1e6 * $10 / $8, 1e6 * $11, 1e6 * $12)),
      ($14 > 0 ? $13 "|" $14 : "|")
  }' "$out/levels.csv"
  echo "trained binary||auto|$(value "$out/levels/trained.score.json" images)|$(percent "$(value "$out/levels/trained.score.json" accuracy)")|||||||||"
  echo "continuous||||$(percent "$(value "$out/continuous.score.json" accuracy)")|||||||||"
} | table
figure trade.svg 'How often annealing and tabu search find the optimum over the levels, against the spins that an encoding takes.'
if [ -n "$(ls "$out"/levels/*.pack.json 2>/dev/null)" ]; then
  text 'The same as matrices of 8 bits, by the rule of the vendor: how many of the problems keep an optimum.'
  {
    echo 'levels|encoding|problems|spins at most|some|every'
    for name in $(ls "$out/levels" | sed -n 's/\.pack\.json$//p' | sort -n); do
      file=$out/levels/$name.pack.json
      echo "$(echo "$name" | tr + '|')|$(value "$file" problems)|$(value "$file" spins_max)|$(value "$file" kept_some)|$(value "$file" kept_every)"
    done
  } | table
fi

heading "Image $image"
text 'The probabilities of the classes, by solver and model.'
probabilities() { # NAME CSV
  [ -e "$2" ] || return 0
  awk -F , -v name="$1" -v image="$image" '
    NR == 1 { for (i = 1; i <= NF; i++) { gsub(/[ \r]/, "", $i); at[$i] = i } next }
    { index_ = ("idx" in at) ? $at["idx"] : only ? image : NR - 2 }
    index_ == image {
      line = name "|" $at["label"] "|" $(("pred" in at) ? at["pred"] : at["prediction"])
      for (k = 0; k < 10; k++) {
        c = ("logits_" k in at) ? at["logits_" k] : at["logit_" k]
        line = line "|" sprintf("%.4f", $c)
      }
      print line
      exit
    }' "$2"
}
{
  echo 'by|class|predicted|0|1|2|3|4|5|6|7|8|9'
  for file in "$out"/solved/*.csv; do
    probabilities "$(basename "$file" .csv)" "$file"
  done
  probabilities 'the machine, as submitted' "$out/returned.csv"
  for model in continuous softmax mlp best; do
    probabilities "$model model" "$out/$model.csv"
  done
  if [ -n "$reference" ]; then
    for file in "$reference"/eval_*.csv; do
      probabilities "published: $(basename "$file" .csv)" "$file"
    done
  fi
} | table

heading 'Sparsity'
text "Of the $(value "$out/patches.json" values) values an exact solution chooses $(number "$(value "$out/mean.json" mean_chosen)" %.1f) on average; softmax gives a weight above 0 to all of them."
{
  echo 'solver|share of values chosen'
  for file in "$out"/solved/*.score.json; do
    echo "$(basename "$file" .score.json)|$(percent "$(value "$file" ones_fraction)" 1)"
  done
} | table
figure mean.svg 'How often each query chooses each value.'

if [ -e "$out/vendor.pack.json" ]; then
  heading 'Eight bits'
  text "The problems of image $image as matrices for a machine of 8 bits: by the rule of the vendor, one scale for each matrix, and by the precision best of oa-cim-pack. Kept counts problems whose rounded form has the original optimum among its optima (some), as the first in lexicographic order (first), or as the only one (every)."
  {
    echo 'precision|problems|some|first|every|spins at most|free variables, mean'
    for how in vendor chosen; do
      file=$out/$how.pack.json
      name=vendor
      [ $how = vendor ] || name=best
      echo "$name|$(value "$file" problems)|$(value "$file" kept_some)|$(value "$file" kept_first)|$(value "$file" kept_every)|$(value "$file" spins_max)|$(number "$(value "$file" free_variables_mean)" %.1f)"
    done
  } | table
  figure levels.svg 'How the levels of 8 bits are used by the rule of the vendor.'
fi

if [ -n "$reference" ] && [ -e "$reference/cim_49_runs.csv" ]; then
  heading 'The machine'
  text 'The 49 runs of image 22 on the coherent Ising machine, as published. The matrices made again from the published weights, each solved with a proof: how far the best energy of the machine is from the optimum.'
  proofs=$out/machine.csv
  [ -e "$proofs" ] || proofs=/dev/null
  awk -F , -v proofs="$proofs" '
    BEGIN {
      while ((getline line < proofs) > 0) {
        split(line, part, ",")
        optimum[part[1]] = part[2]
        proved[part[1]] = part[3] == "true"
      }
    }
    FNR == 1 { print "task|energy|run time, ms|proven optimum|gap"; next }
    {
      known = ($1 in optimum) && proved[$1]
      gap = known ? $2 - optimum[$1] : "–"
      print $1 "|" $2 "|" $3 "|" (known ? optimum[$1] : "–") "|" gap
      time += $3
      n++
      shown += known
      reached += known && gap == 0
    }
    END {
      if (n) printf "mean||%.4f||\n", time / n
      if (n) printf "optimal, of those proved||||%d of %d\n", reached, shown
    }' "$reference/cim_49_runs.csv" | table
fi

if [ -e "$out/returned.json" ]; then
  heading 'What the machine returned'
  back=$out/returned.json
  text "Results for $(value "$back" received) of $(value "$back" tasks) tasks; $(value "$back" energies_verified) energies recomputed and found right. The best solution of a task is the proven optimum of its matrix for $(value "$back" best_is_optimal) of $(value "$back" received). Run time $(number "$(value "$back" run_ms_mean)" %.4f) ms on average, $(number "$(value "$back" run_ms_max)" %.4f) at most. Tasks without a result were solved here."
fi

heading 'How this was made'
text "$(oa-train --version | head -n 1), $(oa-anneal --version | head -n 1), $(oa-score --version | head -n 1), $(oa-heatmap --version | head -n 1); $(uname -srm), $(getconf _NPROCESSORS_ONLN) processors$(sed -n 's/^model name[^:]*: */, /p' /proc/cpuinfo 2>/dev/null | head -n 1)."
{
  echo 'model|parameters|best epoch|seconds|images a second'
  for file in "$out"/*.train.json; do
    echo "$(basename "$file" .train.json)|$(value "$file" parameters)|$(value "$file" best_epoch)|$(number "$(value "$file" seconds)" %.1f)|$(number "$(value "$file" images_per_second)" %.0f)"
  done
} | table
{
  echo '<pre>'
  cat "$out"/*.command "$out"/solved/*.command | escape
  echo '</pre>'
} >>"$html"
{
  echo '```'
  cat "$out"/*.command "$out"/solved/*.command
  echo '```'
} >>"$md"
echo '</body></html>' >>"$html"
mv "$md" "$out/report.md"
mv "$html" "$out/report.html"
echo "$figures figures"
