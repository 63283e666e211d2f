# Holds lib/LAYERS: a file of a layer includes only what its layer may, and each package
# stays behind its door (STYLE.md, 2).  Usage: layers.sh LIB
cd "$1" || exit 2
find oa cli ../tools -name '*.h' -o -name '*.cc' -o -name '*.h.in' | sort |
  xargs awk '
    FILENAME == "LAYERS" && /^[a-z]+:/ {
      layer = $1; sub(":", "", layer)
      known[layer] = 1; may[layer, layer] = 1
      for (i = 2; i <= NF; i++) may[layer, $i] = 1
      next
    }
    function complain(why) { print FILENAME ":" FNR ": " why; bad = 1 }
    FILENAME != last { last = FILENAME; split(FILENAME, part, "/"); top = part[1]; layer = part[2] }
    /^#include "oa\// && top == "oa" {
      split($2, inc, "[\"/]")
      if (!(layer in known)) complain("layer " layer " is not in LAYERS")
      else if (!((layer, inc[3]) in may)) complain(layer " must not include " inc[3])
    }
    /^#include "cli\// && top == "oa" { complain("the library must not include cli") }
    /^#include <(Eigen|unsupported)\// && FILENAME !~ /(\.cc|num\/map\.h)$/ { complain("Eigen belongs in .cc files and num/map.h") }
    /^#include <nlohmann\// && FILENAME !~ /^oa\/(io|report)\/.*\.cc$/ { complain("nlohmann/json belongs in .cc files of io") }
    /^#include <archive(_entry)?\.h>/ && FILENAME != "oa/io/bytes/archive.cc" { complain("libarchive belongs in io/bytes/archive.cc") }
    /^#include <poppler/ && FILENAME != "oa/io/machine/pdf_text.cc" { complain("poppler belongs in io/machine/pdf_text.cc") }
    /^#include <csv\.h>/ && FILENAME != "oa/io/table/csv.cc" { complain("csv.h belongs in io/table/csv.cc") }
    /^#include <hwy\// && FILENAME !~ /\.cc$/ && FILENAME !~ /-inl\.h$/ { complain("highway belongs in .cc and -inl.h files") }
    /^#include <cairo/ && FILENAME != "oa/io/picture/picture.cc" { complain("cairo belongs in io/picture/picture.cc") }
    /^#include <CLI\// && top != "cli" { complain("CLI11 belongs in cli") }
    END { exit bad }' LAYERS
