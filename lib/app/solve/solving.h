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

/// A single problem with its own settings.
struct SingleTask {
  const qubo::Model& model;
  std::uint64_t number = 0;  ///< index among the problems of this run, from 0
  /// Initial states, fixed variables and callbacks; all else comes from the options.
  solve::ModelSettings settings = {};
};

struct SingleResult {
  /// All members except file, format, fingerprint and seconds.
  io::ResultLine line;
  bool penalised = false;  ///< constraints became penalties
  std::vector<std::string> warnings = {};
};

/// Solves one problem with the given options.
/// Throws InputError if the problem has too many variables for the method.
[[nodiscard]] SingleResult solve_single(const SolveTask& task,
                                        const SingleOptions& single,
                                        SingleTask problem,
                                        const std::stop_token& stop);

}  // namespace oa::app
