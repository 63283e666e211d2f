#pragma once

#include "app/solve/single.h"
#include "app/solve/stream.h"
#include "oa/base/rng.h"
#include "oa/io/bytes/input.h"
#include "oa/qubo/model.h"
#include "oa/qubo/problem.h"
#include "oa/solve/sample/sample.h"

#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace oa::app {

/// Samples f of a problem without constraints, or -f if f is maximised.
/// Temperature and energies are in units of f.  Variables may be fixed.
[[nodiscard]] solve::Samples sample_problem(const qubo::Model& model,
                                            const std::vector<std::uint8_t>& fixed,
                                            const solve::SampleSettings& settings,
                                            const Rng& rng,
                                            const solve::Stop& stop);
[[nodiscard]] solve::Marginals marginals_of_problem(
    const qubo::Model& model,
    const std::vector<std::uint8_t>& fixed,
    const solve::SampleSettings& settings,
    const Rng& rng,
    const solve::Stop& stop);

/// Samples of the problems of a frame.
struct SampledProblem {
  qubo::SolvedProblem solution;      ///< the best sample of each query
  std::vector<std::uint8_t> states;  ///< for each query, all its samples in sequence
  /// The share of samples with this level, for each query, variable and level.
  std::vector<float> shares;
  std::vector<double> effective;  ///< (n)
};
[[nodiscard]] SampledProblem sample_frame(qubo::Problem problem,
                                          const SolveTask& task,
                                          const std::stop_token& stop);

/// Writes states and marginals of single problems, according to the options,
/// and prints a summary.
[[nodiscard]] Exit sample_singles(const SolveTask& task,
                                  const SingleOptions& single,
                                  std::optional<io::Input> first,
                                  const std::vector<std::string>& paths,
                                  Context& context);

}  // namespace oa::app
