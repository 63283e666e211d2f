#include "oa/io/quadratic/problem_lines.h"

#include "oa/base/error.h"

#include <span>
#include <utility>

namespace oa::io {

bool ProblemLines::next() {
  if (std::exchange(ended_, true)) {
    return false;
  }
  while (lines_.next(line_)) {
    if (!Words(line_).next().empty()) {
      ended_ = false;
      return true;
    }
  }
  return false;
}

ProblemFile ProblemLines::read() const {
  const std::string_view json = line_.substr(line_.find_first_not_of(" \t"));
  if (!json.starts_with('{') && !json.starts_with('[')) {
    lines_.fail("not JSON (expected a problem as JSON in each line)");
  }
  Input input = Input::memory(std::as_bytes(std::span(json)), name());
  return read_problems(input, detect_problem(input).formats.front(), settings_);
}

}  // namespace oa::io
