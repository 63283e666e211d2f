#pragma once

#include "oa/solve/method/stop.h"

#include <cstdint>
#include <vector>

namespace oa::solve {

/// The rows are a basis of a lattice.
using Basis = std::vector<std::vector<std::int64_t>>;

/// Orthogonalised rows: row i is the sum over k <= i of mu[i][k] times the direction k,
/// with mu[i][i] = 1 and directions of squared length norms[k].
struct Orthogonal {
  std::vector<std::vector<double>> mu;
  std::vector<double> norms;
};
[[nodiscard]] Orthogonal orthogonal(const Basis& basis);

/// Lenstra-Lenstra-Lovasz reduction in floating point (Schnorr and Euchner 1994); rows
/// may depend on each other, and those that become 0 are erased.  False if stopped, or
/// if numbers grow beyond 2^62.
bool reduce(Basis& basis, const Stop& stop);

/// Block Korkine-Zolotarev reduction with blocks of this size.  The basis is reduced
/// by reduce() before.
bool reduce_blocks(Basis& basis, int block, const Stop& stop);

/// The vectors x with rows (x, 1) = 0 of a lattice: the integer kernel of `rows`, as a
/// basis that reduce() reduced after each row.  Empty if stopped or if numbers grow too
/// large.
[[nodiscard]] Basis kernel(const std::vector<std::vector<std::int64_t>>& rows,
                           const Stop& stop);

}  // namespace oa::solve
