#pragma once

#include "oa/machine/block.h"
#include "oa/solve/exact/exact.h"

#include <cstdint>
#include <span>
#include <vector>

namespace oa::cim {

using Bits = std::vector<std::uint8_t>;

/// Every optimum of a problem, the lexicographically first first, and their energy.
struct Optima {
  double energy = 0.0;
  std::vector<Bits> x;
};

/// No more optima than this are told apart.
inline constexpr int kMostOptima = 1024;

/// The optima of the problems that share a matrix.
class OptimaFinder {
 public:
  /// Keeps a reference to `j`.
  explicit OptimaFinder(const qubo::Matrix& j);

  [[nodiscard]] Optima operator()(std::span<const double> h);

  /// Variables that have one value in all optima, as far as the bound at the root of
  /// the search tells, given their energy.
  [[nodiscard]] std::vector<solve::Decision> decisions(std::span<const double> h,
                                                       double energy) {
    return two_.decisions(h, energy);
  }

 private:
  const qubo::Matrix& j_;
  solve::Exact two_;
};

/// Whether quantising kept the optimum.  Rounding makes ties, so there are three
/// answers; the last is the one that counts, since a machine may return any.
struct Kept {
  bool some = false;   ///< some optimum of the quantised problem is an original one
  bool first = false;  ///< the lexicographically first of its optima is
  bool every = false;  ///< all its optima are
  Bits optimum;        ///< of the quantised problem, the first
};

/// `block` is a quantised form of the problem that has these optima.
[[nodiscard]] Kept kept_by(const Block& block, const Optima& original);

}  // namespace oa::cim
