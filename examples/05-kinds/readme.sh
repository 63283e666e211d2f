# Prints README.md with a new table.
# Usage: readme.sh README OUT HOW
# The table goes between <!-- made: table --> and <!-- end -->, with HOW it was made.
awk -v out="$2" -v how="$3" '
  /^<!-- end -->$/ { skip = 0 }
  !skip { print }
  /^<!-- made: table/ {
    skip = 1
    print "Made by `" how "`.\n"
    print "```text"
    command = "sh text.sh " out "/table.csv"
    while ((command | getline line) > 0) print line
    close(command)
    print "```"
  }' "$1"
