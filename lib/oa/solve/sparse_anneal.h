#pragma once

#include "oa/base/rng.h"
#include "oa/num/simd.h"
#include "oa/qubo/quadratic.h"
#include "oa/solve/cooling.h"
#include "oa/solve/replicas.h"
#include "oa/solve/stop.h"

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace oa::solve {

/// A neighbour as the kernel sees it.
struct FloatCoupling {
  std::int32_t other;
  float weight;
};

/// Simulated annealing of sparse problems, or parallel tempering: sixteen reads at a
/// time in the lanes of vectors, of which a flip touches only the neighbours.  Memory:
/// 128 bytes a variable and 8 for each entry of a row.
class SparseAnneal {
 public:
  /// `f` is to be minimised over 0/1 vectors and must outlive this.
  explicit SparseAnneal(const qubo::Quadratic& f);

  struct Run {
    Cooling cooling;
    /// All its temperatures at once, one in each lane, for `sweeps`: lanes of
    /// neighbouring ones change places (Hukushima and Nemoto 1996).
    bool tempering = false;
    double target =
        -std::numeric_limits<double>::infinity();  ///< ends when a read gets as low
    /// Where all reads begin; empty: at 0.
    std::span<const std::uint8_t> start;
    /// Of the time that is left, for cooling: that is done sooner where its sweeps
    /// would take longer.
    double part = 0.9;
  };

  /// Sixteen reads, into `best`.  Returns whether they were stopped.
  bool run(const Run& run, const Rng& rng, const Stop& stop, BestStates& best);

 private:
  void begin(std::span<const std::uint8_t> start);

  const qubo::Quadratic& f_;
  double scale_ = 1.0;   // of energies here, a power of two
  double spread_ = 0.0;  // how far a field varies: the mean norm of a row
  std::vector<std::size_t> rows_;
  std::vector<FloatCoupling> couplings_;
  std::vector<float> own_;
  std::vector<num::FloatLine> sign_;
  std::vector<num::FloatLine> field_;
  num::FloatLine energy_;
  double origin_ = 0.0;  // energy of the start
};

}  // namespace oa::solve
