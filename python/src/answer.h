#pragma once

#include "oa/io/quadratic/result_line.h"
#include "oa/io/quadratic/samples.h"

#include <optional>
#include <string>
#include <vector>

#include <nanobind/nanobind.h>

namespace oa::python {

/// The result of a search, with the fields that Python reads.
struct Answer {
  io::ResultLine line;
  bool spin = false;  ///< values are -1 and 1
  double seconds = 0.0;
  std::vector<std::string> warnings = {};
  std::optional<std::vector<io::Sample>> samples = {};
};

void declare_answer(nanobind::module_& m);

}  // namespace oa::python
