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
/// Where coefficients have levels several x may say the same: then x has one for each
/// choice of levels, and `is_optimum` tells of any whether it says one of these. Proofs
/// of quantised forms, whose penalties make them hard, end after so many nodes.
struct Optima {
  double energy = 0.0;
  std::vector<machine::Bits> x;
  bool proved = true;  ///< else these are the best that were found, if any
  /// Where coefficients have levels several x may say the same: then x has one for each
  /// choice of levels, and this tells of any whether it says one of these.
  std::function<bool(const machine::Bits&)> is_optimum = {};
};

inline constexpr std::int64_t kAllNodes = std::numeric_limits<std::int64_t>::max();

/// Nodes of a search that proves the optimum of a single problem, which may be hard:
/// some seconds of work; 0, no search, beyond 300 variables.
[[nodiscard]] std::int64_t proof_nodes(int variables);

/// At most this many optima of a problem are listed.
inline constexpr int kMostOptima = 1024;

/// The optima of the problems that share a matrix.
class OptimaFinder {
 public:
  /// Keeps a reference to `j`.  With fewer than kAllNodes nodes of a search, optima may
  /// not be proved.
  explicit OptimaFinder(const qubo::Matrix& j, std::int64_t max_nodes = kAllNodes);

  [[nodiscard]] Optima operator()(std::span<const double> h);

  /// Variables that have one value in all optima, as far as the bound at the root of
  /// the search shows this from the energy of the optima, or of an x that may be one.
  /// Call it only where operator() found one.
  [[nodiscard]] std::vector<solve::Decision> decisions(std::span<const double> h,
                                                       double energy) {
    return two_->decisions(h, energy);
  }

 private:
  const qubo::Matrix& j_;
  std::int64_t max_nodes_;
  std::optional<solve::Exact> two_;  // none if there is no search
};

/// `block` is a quantised form of the problem that has these optima.  Where they tell
/// by levels, the first two optima of the block are looked at; if these were not
/// proved, nothing counts as kept.
[[nodiscard]] machine::KeptOptima kept_by(const machine::Block& block,
                                          const Optima& original,
                                          std::int64_t max_nodes = kAllNodes);

}  // namespace oa::cim
