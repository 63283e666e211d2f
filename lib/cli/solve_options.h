#pragma once

#include "cli/options.h"
#include "oa/solve/method.h"

#include <string>

namespace oa::cli {

/// How problems are to be solved.
struct SolveOptions {
  std::string solver = std::string(solve::methods().front().name);
  solve::Settings settings;
  std::string schedule;  ///< empty: the default
  std::string coefficients = "binary";
  double time_limit_s = 0.0;  ///< 0: none
};

void add_solver(App& app, SolveOptions& o);

/// What add_solver() declared, resolved.  Throws UsageError on a setting that the
/// solver would not look at.
struct Chosen {
  const solve::Method& method;
  solve::Settings settings;
};
[[nodiscard]] Chosen choose_solver(const SolveOptions& o);

}  // namespace oa::cli
