#pragma once

#include "oa/solve/method/stop.h"

#include <cstdint>
#include <vector>

namespace oa::solve {

/// A lattice basis, one vector a row.
using Basis = std::vector<std::vector<std::int64_t>>;

/// Gram-Schmidt form: row i is the sum over k <= i of mu[i][k] times direction k, with
/// mu[i][i] = 1 and squared lengths norms[k].
struct Orthogonal {
  std::vector<std::vector<double>> mu;
  std::vector<double> norms;
};
[[nodiscard]] Orthogonal orthogonal(const Basis& basis);

/// Lenstra-Lenstra-Lovasz reduction in floating point (Schnorr and Euchner 1994).  Rows
/// may depend on each other; rows that become 0 are erased.  False if stopped, or if
/// numbers exceed 2^62.
bool reduce(Basis& basis, const Stop& stop);

/// Block Korkine-Zolotarev reduction with blocks of size `block`.  The basis must be
/// reduced by reduce().
bool reduce_blocks(Basis& basis, int block, const Stop& stop);

/// The integer kernel: a basis of the x with rows (x, 1) = 0, reduced after each row.
/// Empty if stopped, or if numbers grow too large.
[[nodiscard]] Basis kernel(const std::vector<std::vector<std::int64_t>>& rows,
                           const Stop& stop);

}  // namespace oa::solve
