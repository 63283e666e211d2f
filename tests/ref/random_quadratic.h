#pragma once

#include "oa/base/rng.h"
#include "oa/qubo/quadratic.h"

#include <cstdint>
#include <vector>

namespace oa::ref {

/// A random problem of `n` variables of either kind and sense: integers, often sparse,
/// often without linear terms.
[[nodiscard]] qubo::Quadratic random_quadratic(Rng& rng, int n);

/// Normal numbers: all linear terms, and couplings with probability `density`.
[[nodiscard]] qubo::Quadratic normal_quadratic(Rng& rng, int n, double density);

/// Bit i of `bits` as element i.
[[nodiscard]] std::vector<std::uint8_t> bits_of(unsigned bits, int n);

/// The best value of all 2^n vectors.
[[nodiscard]] double best_value(const qubo::Quadratic& f);

}  // namespace oa::ref
