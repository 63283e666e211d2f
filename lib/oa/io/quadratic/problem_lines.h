#pragma once

#include "oa/io/bytes/lines.h"
#include "oa/io/quadratic/problem_file.h"

#include <string>
#include <string_view>

namespace oa::io {

/// The problems of a file of JSON lines, one by one.
class ProblemLines {
 public:
  /// Keeps a reference to `input`.
  ProblemLines(Input& input, const ProblemSettings& settings)
      : lines_(input),
        settings_(settings) {}

  /// Advances to the next line that is not blank; false at the end.
  /// After an exception, the file counts as ended.
  [[nodiscard]] bool next();

  /// "file:12", the name of this line's problem.
  [[nodiscard]] std::string name() const { return lines_.where(); }

  /// The problem of this line.  After InputError the next line can still be read.
  [[nodiscard]] ProblemFile read() const;

 private:
  LineReader lines_;
  ProblemSettings settings_;
  std::string_view line_;
  bool ended_ = false;
};

}  // namespace oa::io
