# What the golden cases share: run.sh reads this before a case.

# Runs a command and prints its status.
status() {
  "$@"
  echo "status $?"
}

# Sets $python to one that has numpy; without one the case is skipped.
find_numpy() {
  for python in python3 /usr/bin/python3; do
    if $python -c 'import numpy' 2>/dev/null; then return; fi
  done
  echo "no numpy"
  exit 77
}

# Waits until a process blocks the signals that a tool waits for: HUP, INT, TERM and URG.
# An emulator blocks more on the way.
until_it_listens() {
  until grep -q '^SigBlk:.*[^1-9a-f]404003$' "/proc/$1/status"; do :; done
}
