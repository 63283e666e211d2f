# Writes a quadratic knapsack of Billionnet and Soutif as a pseudo-Boolean program:
#   awk -f knapsack.awk jeu_100_25_1.txt | oa-anneal --format opb -
# The numbers of a file: variables n, linear profits, profits of pairs (row by row), a 0,
# the capacity and the weights.  A first line without numbers is its name.
FNR == 1 && $1 !~ /^[0-9]+$/ { next }
{ for (i = 1; i <= NF; i++) number[++count] = $i }
END {
  n = number[1]
  at = 1
  printf "* #variable= %d #constraint= 1\nmin:", n
  for (i = 1; i <= n; i++) if (p = number[++at]) printf " -%d x%d", p, i
  for (i = 1; i < n; i++)
    for (j = i + 1; j <= n; j++) if (p = number[++at]) printf " -%d x%d x%d", p, i, j
  at = count - n
  print " ;"
  for (i = 1; i <= n; i++) printf "-%d x%d ", number[at + i], i
  printf ">= -%d ;\n", number[at]
}
