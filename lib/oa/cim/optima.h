#pragma once

#include "oa/machine/packed.h"
#include "oa/solve/exact/exact.h"

#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <vector>

namespace oa::cim {

/// Every optimum of a problem, in lexicographic order, and their energy.
///
/// Where coefficients have levels several x may say the same: then x has one for each
/// choice of levels, and `is_optimum` tells of any whether it says one of these. Proofs
/// of quantised forms, whose penalties make them hard, end after so many nodes.
struct Optima {
  double energy = 0.0;
  std::vector<machine::Bits> x;
  std::function<bool(const machine::Bits&)> is_optimum = {};
  std::int64_t max_nodes = std::numeric_limits<std::int64_t>::max();
};

/// At most this many optima of a problem are listed.
inline constexpr int kMostOptima = 1024;

/// The optima of the problems that share a matrix.
class OptimaFinder {
 public:
  /// Keeps a reference to `j`.
  explicit OptimaFinder(const qubo::Matrix& j);

  [[nodiscard]] Optima operator()(std::span<const double> h);

  /// Variables that have one value in all optima, as far as the bound at the root of
  /// the search shows this from the energy of the optima.
  [[nodiscard]] std::vector<solve::Decision> decisions(std::span<const double> h,
                                                       double energy) {
    return two_.decisions(h, energy);
  }

 private:
  const qubo::Matrix& j_;
  solve::Exact two_;
};

/// `block` is a quantised form of the problem that has these optima.  Where they tell
/// by levels, the first two optima of the block are looked at; if these were not
/// proved, nothing counts as kept.
[[nodiscard]] machine::KeptOptima kept_by(const machine::Block& block,
                                          const Optima& original);

}  // namespace oa::cim
