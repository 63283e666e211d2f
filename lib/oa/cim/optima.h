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

/// All optima of a problem, in lexicographic order, and their energy.
///
/// With levels, several x may encode the same coefficients; lists only one x.
struct Optima {
  double energy = 0.0;
  std::vector<machine::Bits> x;
  bool proved = true;  ///< false: x are the best found, if any
  /// With levels, returns whether an x encodes an optimum; otherwise empty.
  std::function<bool(const machine::Bits&)> is_optimum = {};
};

inline constexpr std::int64_t kAllNodes = std::numeric_limits<std::int64_t>::max();

/// The node limit that proves an optimum in a few seconds;
/// 0 (no search) above 300 variables.
[[nodiscard]] std::int64_t proof_nodes(int variables);

/// The maximum number of optima to list.
inline constexpr int kMaxOptima = 1024;

/// Finds the optima of problems with a common matrix.
class OptimaFinder {
 public:
  /// Borrows `j`.  With a limit of nodes, proofs may fail.
  explicit OptimaFinder(const qubo::Matrix& j, std::int64_t max_nodes = kAllNodes);

  [[nodiscard]] Optima operator()(std::span<const double> h);

  /// Decides variables with one value in all optima, as far as the root bound and an
  /// optimum's energy prove it.  Call this only after operator() found an optimum.
  [[nodiscard]] std::vector<solve::Decision> decisions(std::span<const double> h,
                                                       double energy) {
    return two_->decisions(h, energy);
  }

 private:
  const qubo::Matrix& j_;
  std::int64_t max_nodes_;
  std::optional<solve::Exact> two_;  // finds two optima; empty without a search
};

/// Returns which optima of a problem its quantised form `block` keeps.  With levels,
/// checks the first two optima of the block; without proof, counts no optimum as kept.
[[nodiscard]] machine::KeptOptima kept_by(const machine::Block& block,
                                          const Optima& original,
                                          std::int64_t max_nodes = kAllNodes);
[[nodiscard]] machine::KeptOptima kept_by(const machine::Reduced& quantised,
                                          const Optima& original,
                                          std::int64_t max_nodes = kAllNodes);

}  // namespace oa::cim
