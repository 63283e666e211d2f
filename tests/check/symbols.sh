#!/bin/sh
# No tool uses the network, starts a program by a name that PATH finds, changes its user, asks what time of day it is
# (a clock that jumps changes nothing), or makes a temporary file with a name that can be
# guessed: what it would have to call for that is not among the
# functions it asks the system for.  (Packages could call it themselves; ours ask for none.)
# oa-cim-ingest may start pdftotext, and oa-heatmap a process that draws, for cairo.  Nor does one ask Highway's
# library which processor this is: num/highway.cc says why.
# Usage: symbols.sh TOOLS
set -eu
command -v nm >/dev/null || { echo "no nm"; exit 77; }
forbidden='socket|connect|bind|listen|accept4?|send|sendto|recv|recvfrom|getaddrinfo|gethostbyname'
forbidden="$forbidden|system|popen|exec[vl]p?e?|execveat|vfork|clone|posix_spawnp"
forbidden="$forbidden|set[e]?[ug]id|setres[ug]id|tmpnam|tempnam|mktemp|tmpfile|getpw[a-z_]*|getpass|crypt"
forbidden="$forbidden|_ZN3hwy15GetChosenTargetEv|_ZN3hwy16SupportedTargetsEv"
forbidden="$forbidden|time|gettimeofday|clock_gettime|_ZNSt6chrono3_V212system_clock3nowEv"
bad=0 tools=0
for tool in "$1"/oa-* "$1"/liboa-tools.so "$1"/liboa-survey.so; do
  case $tool in *.bash|*.fish|*.zsh) continue ;; esac
  tools=$((tools + 1))
  never=$forbidden
  case ${tool##*/} in
    oa-cim-ingest|oa-heatmap) ;;
    liboa-survey.so) never=$(echo "$never" | sed 's/|_ZN3hwy[0-9A-Za-z]*//g') ;;  # liboa-tools.so has them
    *) never="$never|fork|posix_spawn" ;;
  esac
  if nm -D --undefined-only "$tool" | awk '{ sub(/@.*/, "", $2); print $2 }' |
      grep -xE "$never"; then
    echo "$tool: asks for these"
    bad=1
  fi
  if [ -u "$tool" ] || [ -g "$tool" ]; then
    echo "$tool: setuid or setgid"
    bad=1
  fi
done
[ $tools -gt 0 ] && [ $bad = 0 ]
