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

/// Calls visit(x) with all 2^n vectors x, in the order of bits_of().
template <class Visit>
void each_x(int n, const Visit& visit) {
  for (unsigned bits = 0; bits < 1U << n; ++bits) {
    visit(bits_of(bits, n));
  }
}

/// The first of all best vectors in lexicographic order, by their exact energies.
[[nodiscard]] std::vector<std::uint8_t> smallest_optimum(const qubo::Quadratic& f);

/// The best value of all 2^n vectors.
[[nodiscard]] double best_value(const qubo::Quadratic& f);

}  // namespace oa::ref
