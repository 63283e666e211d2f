# What the golden cases share: run.sh reads this before a case.

# Runs a command and prints its status.
status() {
  "$@"
  echo "status $?"
}
