#pragma once

#include "oa/base/rng.h"
#include "oa/solve/method/result.h"
#include "oa/solve/method/settings.h"
#include "oa/solve/method/states.h"
#include "oa/solve/polynomial/whole_polynomial.h"

#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <vector>

namespace oa::solve {

/// A polynomial to be minimised; as PartTask for a quadratic function.  Energies and
/// bounds of results contain its constant.
struct PolynomialTask {
  const WholePolynomial& p;
  Settings settings = {};
  int threads = 1;
  /// The search may end at an energy as low as this.
  TwoDoubles target = -std::numeric_limits<double>::infinity();
  /// Reads begin at these states, if there are some.
  States starts = {};
  /// Called for each x that is better than all before, by one thread at a time.
  std::function<void(std::span<const std::uint8_t>)> improved = {};
  /// Called for each bound that is better than all before.
  std::function<void(double)> bounded = {};
  /// Called for the x of every read, in order, by methods with independent reads.
  std::function<void(std::span<const std::uint8_t>)> sampled = {};
};

/// Solves the task.  The same task and rng give the same result, unless it is stopped.
using PolynomialSolver = Result(const PolynomialTask& task,
                                const Rng& rng,
                                const Stop& stop);

}  // namespace oa::solve
