#pragma once

#include "app/solve/single.h"
#include "oa/io/quadratic/result_line.h"
#include "oa/qubo/model.h"
#include "oa/solve/single/model_settings.h"

#include <cstdint>
#include <stop_token>
#include <string>
#include <vector>

namespace oa::app {

/// A single problem, and what belongs to it alone.
struct SingleTask {
  const qubo::Model& model;
  std::uint64_t number = 0;  ///< among the problems of this call, from 0
  /// Initial states, fixed variables and functions to call; options give the others.
  solve::ModelSettings settings = {};
};

struct SingleResult {
  /// All but the file, its format, the fingerprint and the seconds.
  io::ResultLine line;
  bool penalised = false;  ///< constraints were penalties
  std::vector<std::string> warnings = {};
};

/// Solves one problem as the options say.  Throws InputError for a method that is not
/// for so many variables.
[[nodiscard]] SingleResult solve_single(const SolveTask& task,
                                        const SingleOptions& single,
                                        SingleTask problem,
                                        const std::stop_token& stop);

}  // namespace oa::app
