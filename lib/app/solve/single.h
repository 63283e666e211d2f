#pragma once

#include "app/context.h"
#include "app/solve/single_files.h"
#include "app/solve/stream.h"
#include "oa/io/bytes/input.h"

#include <optional>
#include <string>
#include <vector>

namespace oa::app {

/// What concerns single problems only.
struct SingleOptions {
  ReadingOptions reading;
  std::string convert;  ///< empty: solve
  bool drop_names = false;
  std::optional<double> target;
  std::string initial;
  std::string fix;
  std::string samples;
  bool all_optima = false;
  bool count_optima = false;
  std::string trace;
  std::string verify;
  bool no_presolve = false;

  /// Names of what was given, as "sense".
  [[nodiscard]] std::vector<std::string> given() const;
};

/// Whether `input` is a stream of problems.  Throws UsageError if it is one and options
/// are for single problems.
[[nodiscard]] bool is_stream(const SingleOptions& o, io::Input& input);

/// Reads the problems of files and writes a line of JSON for each; or converts, or
/// verifies.  `first`, if it is there, is the first of `paths`, opened already.
[[nodiscard]] Exit solve_singles(const SolveTask& task,
                                 const SingleOptions& single,
                                 std::optional<io::Input> first,
                                 const std::vector<std::string>& paths,
                                 Context& context);

}  // namespace oa::app
