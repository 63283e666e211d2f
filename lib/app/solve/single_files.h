#pragma once

#include "oa/io/quadratic/problem_file.h"

#include <string>
#include <string_view>
#include <vector>

namespace oa::app {

/// How to read files of single problems.
struct ReadingOptions {
  std::string format;      ///< empty: by content and name
  std::string sense;       ///< empty: the format's
  std::string vartype;     ///< empty: the file's, or binary
  std::string graph = {};  ///< what is asked about a graph, if the file is one
};

/// The format of that name, which must exist.
[[nodiscard]] io::ProblemFormat format_called(std::string_view name);

/// The format of a file.  Throws UsageError, which names `format_option`, if several
/// formats fit, or if nothing is asked about a graph, and InputError if the file is a
/// stream or empty.
[[nodiscard]] io::ProblemFormat choose_format(const ReadingOptions& options,
                                              io::Input& input,
                                              const std::string& format_option);

[[nodiscard]] io::ProblemSettings settings_of(const ReadingOptions& options);

/// Warnings of what the file `name` does not state.
[[nodiscard]] std::vector<std::string> warnings_of(const io::ProblemFile& file,
                                                   const std::string& name);

}  // namespace oa::app
