#pragma once

#include "app/context.h"
#include "app/solve/reading.h"
#include "app/solve/stream.h"
#include "oa/io/bytes/input.h"

#include <optional>
#include <string>
#include <vector>

namespace oa::app {

/// Settings for single problems only.
struct SingleOptions {
  ReadingOptions reading;
  std::string convert;  ///< empty: solve
  bool drop_names = false;
  std::optional<double> target;
  std::string initial;
  std::string fix;
  std::string samples;
  std::string solution;  ///< file for the best x in the style of its format
  std::string marginals;
  bool all_optima = false;
  bool count_optima = false;
  std::string trace;
  std::string verify;
  bool no_presolve = false;
  bool no_recover = false;
  bool verbose = false;

  /// Names of the given settings, such as "sense".
  [[nodiscard]] std::vector<std::string> given_settings() const;
};

/// Throws UsageError if a given option has no effect.
void check_effects(const SolveTask& task, const SingleOptions& single);

void check_sampled_effects(const SolveTask& task, const SingleOptions& single);

/// True if `input` is a stream of problems.  Throws UsageError for a stream with
/// settings for single problems.
[[nodiscard]] bool is_stream(const SingleOptions& o, io::Input& input);

/// Solves problems from files and writes a JSON line for each; or converts a problem,
/// or verifies results.  `first`, if given, is the first of `paths`, opened before.
[[nodiscard]] Exit solve_singles(const SolveTask& task,
                                 const SingleOptions& single,
                                 std::optional<io::Input> first,
                                 const std::vector<std::string>& paths,
                                 Context& context);

}  // namespace oa::app
