# README.md with its generated parts made anew, on standard output.
# Usage: readme.sh README OUT HOW
# Between <!-- made: table --> and <!-- end --> goes the table, with HOW it was made; between
# <!-- made: NAME --> and <!-- end --> who attends to whom, and the kind in the table.
awk -v out="$2" -v how="$3" '
  function put_table(  line) {
    print "Made by `" how "`.\n"
    command = "sh text.sh " out "/table.csv md"
    while ((command | getline line) > 0) print line
    close(command)
  }
  function put_kind(name,  line, inside, drawing, fields) {
    drawing = ""
    while ((getline line <(out "/dependence.txt")) > 0) {
      if (line !~ /^ /) inside = line ~ ("^" name "(:|$)")
      else if (inside && line != "") drawing = drawing line "\n"
    }
    close(out "/dependence.txt")
    if (drawing != "") printf "```text\n%s```\n", drawing
    while ((getline line <(out "/table.csv")) > 0) {
      split(line, fields, ",")
      if (fields[1] == name)
        printf "%sMeasured: %.2f %% of test images with %s parameters; at 49 tokens %.3g of the time of flash2, at 1,024 %s.\n",
          (drawing == "" ? "" : "\n"), 100 * fields[4], fields[2], fields[9],
          (fields[15] == "" ? "not measured" : sprintf("%.3g", fields[15]))
    }
    close(out "/table.csv")
  }
  /^<!-- end -->$/ { skip = 0 }
  !skip { print }
  /^<!-- made: / { skip = 1; $3 == "table" ? put_table() : put_kind($3) }' "$1"
