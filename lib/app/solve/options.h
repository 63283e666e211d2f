#pragma once

#include "oa/base/coefficients.h"
#include "oa/solve/methods.h"

#include <string>
#include <vector>

namespace oa::app {

/// How problems are to be solved.
struct SolveOptions {
  std::string solver = std::string(solve::default_method().name);
  solve::Settings settings;
  std::string schedule;       ///< empty: the default
  std::string coefficients;   ///< empty: what the stream says
  double time_limit_s = 0.0;  ///< 0: none
};

/// The same, made sense of.  Throws UsageError on a setting that the
/// solver would not look at.
struct Chosen {
  const solve::Method& method;
  solve::Settings settings;
  std::string given;  ///< the name of one without effect on real coefficients, or empty
};
[[nodiscard]] Chosen choose_solver(const SolveOptions& o);

/// Names of what was given, as "max-nodes".
[[nodiscard]] std::vector<std::string> given(const SolveOptions& o);

/// The coefficients to solve a stream for whose head, at `where`, says `said`.  Throws
/// UsageError if they are not what the solver and the options are for.
[[nodiscard]] Coefficients choose_coefficients(const SolveOptions& o,
                                               const Chosen& chosen,
                                               Coefficients said,
                                               const std::string& where);

}  // namespace oa::app
