#pragma once

#include "oa/base/rng.h"
#include "oa/num/simd.h"
#include "oa/qubo/quadratic.h"
#include "oa/solve/heuristic/cooling.h"
#include "oa/solve/heuristic/couplings.h"
#include "oa/solve/heuristic/replicas.h"
#include "oa/solve/method/stop.h"

#include <cstdint>
#include <span>
#include <vector>

namespace oa::solve {

/// Simulated annealing or parallel tempering of single problems,
/// 16 reads at a time in vector lanes.  A flip updates only its neighbours.
/// Does not copy couplings; takes 132 bytes a variable.
class SparseAnneal {
 public:
  /// `f` is minimised over 0/1 vectors and must outlive this.
  explicit SparseAnneal(const qubo::Quadratic& f);

  /// Does 16 reads and updates `best`.  Returns true if stopped.
  bool run(const AnnealRun& run, const Rng& rng, const Stop& stop, BestStates& best);

 private:
  void begin(const AnnealRun& run);
  void place(std::span<const std::uint8_t> x, int lane, int end);

  const qubo::Quadratic& f_;
  Scale scale_;
  std::vector<float> own_;
  std::vector<num::FloatLine> sign_;
  std::vector<num::FloatLine> field_;
  num::FloatLine energy_;
  double origin_ = 0.0;  // energy of the first start state
};

}  // namespace oa::solve
