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

/// A polynomial to minimise, as PartTask is for quadratic functions.
/// Energies and bounds of results include its constant.
struct PolynomialTask {
  const WholePolynomial& p;
  Settings settings = {};
  int threads = 1;
  /// The search may end when it reaches this energy.
  TwoDoubles target = -std::numeric_limits<double>::infinity();
  /// Reads start at these states, or at the method's default if there are none.
  States starts = {};
  /// Called for each x that improves on all earlier x, by one thread at a time.
  std::function<void(std::span<const std::uint8_t>)> improved = {};
  /// Called for each bound that improves on all earlier bounds.
  std::function<void(double)> bounded = {};
  /// Called for the x of every read, in order, by methods with independent reads.
  std::function<void(std::span<const std::uint8_t>)> sampled = {};
};

/// Solves a task.  Unless stopped, equal tasks and rng give equal results.
using PolynomialSolver = Result(const PolynomialTask& task,
                                const Rng& rng,
                                const Stop& stop);

}  // namespace oa::solve
