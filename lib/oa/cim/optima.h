#pragma once

#include "oa/machine/packed.h"
#include "oa/solve/exact/exact.h"

#include <cstdint>
#include <span>
#include <vector>

namespace oa::cim {

/// Every optimum of a problem, in lexicographic order, and their energy.
struct Optima {
  double energy = 0.0;
  std::vector<machine::Bits> x;
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

/// `block` is a quantised form of the problem that has these optima.
[[nodiscard]] machine::KeptOptima kept_by(const machine::Block& block,
                                          const Optima& original);

}  // namespace oa::cim
