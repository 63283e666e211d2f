#pragma once

#include "oa/base/rng.h"
#include "oa/num/simd.h"
#include "oa/qubo/quadratic.h"
#include "oa/solve/heuristic/cooling.h"
#include "oa/solve/heuristic/couplings.h"
#include "oa/solve/method/stop.h"

#include <cstdint>
#include <span>
#include <vector>

namespace oa::solve {

/// Simulated annealing of a single problem with dense couplings, one read at a time;
/// vector lanes hold variables.  A flip changes every field, and 16 reads rarely flip
/// the same variable: one read at a time reads 1/16 of the numbers.
class DenseAnneal {
 public:
  /// `f` has dense couplings, is minimised over 0/1 vectors, and must outlive this.
  explicit DenseAnneal(const qubo::Quadratic& f);

  /// Does one read.  Returns true if stopped.
  bool run(const AnnealRun& run, const Rng& rng, const Stop& stop);

  /// The lowest state of the last read.
  [[nodiscard]] std::span<const std::uint8_t> lowest() const { return lowest_; }

 private:
  const qubo::Quadratic& f_;
  Scale scale_;
  std::vector<num::FloatLine> own_;
  std::vector<num::FloatLine> sign_;
  std::vector<num::FloatLine> field_;
  std::vector<num::FloatLine> best_;  // signs
  std::vector<std::uint8_t> lowest_;
};

}  // namespace oa::solve
