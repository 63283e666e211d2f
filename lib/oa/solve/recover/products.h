#pragma once

#include "oa/qubo/polynomial.h"
#include "oa/qubo/quadratic.h"
#include "oa/solve/method/stop.h"

#include <cstdint>
#include <span>
#include <vector>

namespace oa::solve {

/// A variable that is the product of two others.
struct Product {
  std::int32_t variable;
  std::int32_t first;
  std::int32_t second;
};

/// A quadratic function of 0/1 variables as a polynomial of fewer.  Some variables z
/// are products x y of two others, which may be products themselves: for all values of
/// the other variables, z = x y is at least as good as the other value.  Penalties
/// P (3 z - 2 z x - 2 z y + x y) have this effect if P is large enough (Rosenberg
/// 1975).  So the least values are the same, and each value of `p` is one of the
/// function.
struct Products {
  qubo::Polynomial p;              ///< of the other variables, in their order
  std::vector<std::int32_t> kept;  ///< their numbers in the function
  std::vector<Product> products;   ///< factors before products of them
  [[nodiscard]] std::vector<std::uint8_t> whole(std::span<const std::uint8_t> x) const;
  /// The x of `p`.
  [[nodiscard]] std::vector<std::uint8_t> part(std::span<const std::uint8_t> x) const;
};

/// Finds products: if `ordered`, only those with which the lexicographically smallest
/// optimum of `p` gives that of the function.  There are none in functions of spins
/// that are not exact in 0/1 variables, or whose numbers span too many digits, nor if
/// stopped.  O(n + pairs).
[[nodiscard]] Products find_products(const qubo::Quadratic& f,
                                     bool ordered,
                                     const Stop& stop);

}  // namespace oa::solve
