# The accuracies of table.csv as oa-heatmap takes them: a JSON object in each line.  Usage:
# accuracies.sh TABLE
awk -F , '
  NR > 1 {
    attention = $0  # the last column, in quotes
    sub(/^[^"]*/, "", attention)
    printf "{\"name\":\"%s\",\"attention\":%s,\"accuracy\":%s,\"accuracy_sd\":%s}\n", $1,
      attention, $4, ($5 == "" ? "null" : $5)
  }' "$1"
