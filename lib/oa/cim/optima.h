#pragma once

#include "oa/machine/packed.h"
#include "oa/solve/exact/box/exact.h"

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <vector>

namespace oa::cim {

/// Every optimum of a problem, in lexicographic order, and their energy.
///
/// With levels, several x may encode the same coefficients; x has one for each.
struct Optima {
  double energy = 0.0;
  std::vector<machine::Bits> x;
  bool proved = true;  ///< otherwise x are the best that were found, if any
  /// Set for levels: whether an x encodes one of the optima.
  std::function<bool(const machine::Bits&)> is_optimum = {};
};

inline constexpr std::int64_t kAllNodes = std::numeric_limits<std::int64_t>::max();

/// Node limit to prove the optimum of a problem in a few seconds; 0, no search,
/// beyond 300 variables.
[[nodiscard]] std::int64_t proof_nodes(int variables);

/// Largest number of optima of a problem to list.
inline constexpr int kMaxOptima = 1024;

/// Finds the optima of problems that share a matrix.
class OptimaFinder {
 public:
  /// Keeps a reference to `j`.  With fewer than kAllNodes nodes, proofs may fail.
  explicit OptimaFinder(const qubo::Matrix& j, std::int64_t max_nodes = kAllNodes);

  [[nodiscard]] Optima operator()(std::span<const double> h);

  /// Variables with the same value in all optima, as far as the root bound proves it
  /// from the energy of an optimum.  Call it only if operator() found one.
  [[nodiscard]] std::vector<solve::Decision> decisions(std::span<const double> h,
                                                       double energy) {
    return two_->decisions(h, energy);
  }

 private:
  const qubo::Matrix& j_;
  std::int64_t max_nodes_;
  std::optional<solve::Exact> two_;  // empty without a search
};

/// Which of the optima of a problem its quantised form `block` keeps.  With levels,
/// looks at the first two optima of the block; without proof nothing counts as kept.
[[nodiscard]] machine::KeptOptima kept_by(const machine::Block& block,
                                          const Optima& original,
                                          std::int64_t max_nodes = kAllNodes);
[[nodiscard]] machine::KeptOptima kept_by(const machine::Reduced& quantised,
                                          const Optima& original,
                                          std::int64_t max_nodes = kAllNodes);

}  // namespace oa::cim
