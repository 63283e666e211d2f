#pragma once

#include "oa/solve/method/stop.h"

#include <cstdint>
#include <vector>

namespace oa::solve {

/// A lattice basis, one vector a row.
using Basis = std::vector<std::vector<std::int64_t>>;

/// Gram-Schmidt form: row i is the sum over k <= i of mu[i][k] times direction k,
/// with mu[i][i] = 1 and squared lengths norms[k].
struct Orthogonal {
  std::vector<std::vector<double>> mu;
  std::vector<double> norms;
};
[[nodiscard]] Orthogonal orthogonal(const Basis& basis);

/// Lenstra-Lenstra-Lovasz reduction in floating point (Schnorr and Euchner 1994).
/// Rows may be linearly dependent; rows that become 0 are erased.
/// False if stopped, or if numbers exceed 2^62.
bool reduce(Basis& basis, const Stop& stop);

/// Block Korkine-Zolotarev reduction with blocks of size `block`.
/// The basis must already be reduced by reduce().
bool reduce_blocks(Basis& basis, int block, const Stop& stop);

/// The integer kernel: a basis of the x for which all rows times (x, 1) are 0,
/// reduced after each row.  Empty if stopped, or if numbers become too large.
[[nodiscard]] Basis kernel(const std::vector<std::vector<std::int64_t>>& rows,
                           const Stop& stop);

}  // namespace oa::solve
