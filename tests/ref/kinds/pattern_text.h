#pragma once

#include "oa/base/number.h"
#include "survey/kernel/pattern/pattern.h"

#include <string>

namespace oa::test {

/// A pattern of runs as the option `rows` of the kind csr.
inline std::string pattern_text(const attention::Pattern& pattern) {
  std::string text;
  for (int q = 0; q < pattern.queries(); ++q) {
    text += q == 0 ? "" : ";";
    char before = '\0';
    for (const attention::Run& run : pattern.runs(q)) {
      if (before != '\0') {
        text += before;
      }
      text += format(run.begin);
      if (run.length() > 1) {
        text += "-" + format(run.end - 1);
      }
      before = '+';
    }
  }
  return text;
}

}  // namespace oa::test
