#pragma once

#include "app/solve/single.h"

#include <string>
#include <vector>

namespace oa::python {

/// Options of oa-anneal.
struct Options {
  app::Common common;
  app::SolveOptions solving;
  app::SingleOptions single;
};

/// Reads "--top=3" and others by the table of oa-anneal itself; threads are at least 1
/// then.  Throws UsageError.  Called with the interpreter's lock.
[[nodiscard]] Options read_options(const std::vector<std::string>& words);

}  // namespace oa::python
