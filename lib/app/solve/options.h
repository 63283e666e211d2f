#pragma once

#include "oa/base/coefficients.h"
#include "oa/solve/methods.h"

#include <string>
#include <vector>

namespace oa::app {

/// Settings for solving problems.
struct SolveOptions {
  std::string solver = std::string(solve::default_method().name);
  solve::Settings settings;
  std::string schedule;       ///< empty: the default
  std::string coefficients;   ///< empty: those of the stream
  double time_limit_s = 0.0;  ///< 0: no limit
  int samples = 0;            ///< number of states to sample at `temperature`; 0: solve
  double temperature = 0.0;   ///< 0: not given
};

struct Chosen {
  const solve::Method& method;
  solve::Settings settings;
  std::string
      setting;  ///< a given setting without effect on real coefficients, or empty
};
[[nodiscard]] Chosen choose_solver(const SolveOptions& o);

/// Throws UsageError for samples or marginals without a temperature, for a temperature
/// without samples or marginals, and for settings of solvers together with these.
void check_sampling(const SolveOptions& o, bool marginals);

/// Names of the given settings, such as "max-nodes".
[[nodiscard]] std::vector<std::string> given_settings(const SolveOptions& o);

/// Chooses the coefficients for a stream whose head, at `where`, has `of_stream`.
/// Throws UsageError if the solver or a setting does not allow these coefficients.
[[nodiscard]] Coefficients choose_coefficients(const SolveOptions& o,
                                               const Chosen& chosen,
                                               Coefficients of_stream,
                                               const std::string& where);

}  // namespace oa::app
