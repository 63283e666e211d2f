# Holds lib/LAYERS: a file reaches only the rooms that its room may, and each package stays
# included from one place (STYLE.md, section 1).  Usage: layers.sh LIB
cd "$1" || exit 2
find oa survey app cli mpi ../tools -name '*.h' -o -name '*.cc' -o -name '*.h.in' | sort |
  xargs awk '
    FILENAME == "LAYERS" {
      if (/^[a-z_\/]+:/) {
        room = $1; sub(":", "", room)
        may[room, room] = 1
        for (i = 2; i <= NF; i++) may[room, $i] = 1
        known[room] = 1
      }
      next
    }
    function complain(why) { print FILENAME ":" FNR ": " why; bad = 1 }
    function room_of(file) { sub(/^oa\//, "", file); sub(/\/[^\/]*$/, "", file); return file }
    FILENAME != last { last = FILENAME; files[++count] = FILENAME; split(FILENAME, part, "/"); top = part[1] }
    /^#include "/ { split($2, inc, "\""); includes[FILENAME] = includes[FILENAME] " " inc[2] }
    /^#include "(app|cli)\// && top == "oa" { complain("the library must not include app or cli") }
    /^#include "survey\// && top != "survey" && FILENAME != "../tools/oa-bench.cc" { complain("the core must not include the survey") }
    /^#include "cli\// && top == "app" { complain("app must not include cli") }
    /^#include <(Eigen|unsupported)\// && FILENAME !~ /\.cc$/ { complain("Eigen belongs in .cc files") }
    /^#include <nlohmann\// && FILENAME !~ /^oa\/(io\/.*(\.cc|-inl\.h)|base\/json_text\.cc)$/ { complain("nlohmann/json belongs in sources and -inl.h files of io, and in base/json_text.cc") }
    /^#include <archive(_entry)?\.h>/ && FILENAME !~ /^oa\/io\/bytes\// { complain("libarchive belongs in io/bytes") }
    /^#include <csv\.h>/ && FILENAME != "oa/io/table/csv.cc" { complain("csv.h belongs in io/table/csv.cc") }
    /^#include <hwy\// && FILENAME !~ /\.cc$/ && FILENAME !~ /-inl\.h$/ { complain("highway belongs in .cc and -inl.h files") }
    /^#include <cairo/ && FILENAME != "oa/io/picture/picture.cc" { complain("cairo belongs in io/picture/picture.cc") }
    /^#include <fontconfig/ && FILENAME != "oa/io/picture/fonts.cc" { complain("fontconfig belongs in io/picture/fonts.cc") }
    /^#include <coin\// && FILENAME != "oa/solve/linear/linear_program.cc" { complain("Clp belongs in solve/linear/linear_program.cc") }
    /^#include <jpeglib\.h>/ && FILENAME != "oa/io/photo/jpeg.cc" { complain("libjpeg belongs in io/photo/jpeg.cc") }
    /^#include <mpi/ && FILENAME != "mpi/mpi_ranks.cc" { complain("MPI belongs in mpi/mpi_ranks.cc") }
    /^#include <png\.h>/ && FILENAME != "oa/io/photo/png.cc" { complain("libpng belongs in io/photo/png.cc") }
    /^#include <CLI\// && top != "cli" { complain("CLI11 belongs in cli") }
    # Whether a room may reach another, by its name or by "a/*" for a room and those below it.
    function allowed(from, to,   above) {
      if ((from, to) in may) return 1
      for (above = to; above != ""; above = above ~ /\// ? substr(above, 1, match(above, /\/[^\/]*$/) - 1) : "")
        if ((from, above "/*") in may) return 1
      return 0
    }
    function follow(file, from, path,   all, n, i, to) {
      n = split(includes[file], all, " ")
      for (i = 1; i <= n; i++) {
        to = all[i]
        if (to in seen) continue
        seen[to] = 1
        if (!allowed(room_of(from), room_of(to))) {
          print from ": " room_of(from) " must not reach " to path
          bad = 1
        } else {
          follow(to, from, path " <- " to)
        }
      }
    }
    END {
      for (k = 1; k <= count; k++) {
        if (files[k] !~ /^(oa|survey)\// || files[k] ~ /^survey\/bench\//) continue
        if (!(room_of(files[k]) in known)) { print files[k] ": room " room_of(files[k]) " is not in LAYERS"; bad = 1; continue }
        split("", seen)
        follow(files[k], files[k], "")
      }
      exit bad
    }' LAYERS
