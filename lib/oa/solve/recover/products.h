#pragma once

#include "oa/qubo/polynomial.h"
#include "oa/qubo/quadratic.h"
#include "oa/solve/method/stop.h"

#include <cstdint>
#include <span>
#include <vector>

namespace oa::solve {

/// A variable that equals the product of two other variables.
struct Product {
  std::int32_t variable;
  std::int32_t first;
  std::int32_t second;
};

/// A quadratic function of 0/1 variables as a polynomial `p` of fewer variables.
/// A variable z is a product x y if z = x y is at least as good as the other value of
/// z, for all values of other variables.  Penalties P (3 z - 2 z x - 2 z y + x y) with
/// large P cause this (Rosenberg 1975).  Factors may be products.
/// The minima agree, and the function has every value that `p` has.
struct Products {
  qubo::Polynomial p;              ///< over the kept variables, in their order
  std::vector<std::int32_t> kept;  ///< their numbers in the function
  std::vector<Product> products;   ///< factors before products of them
  [[nodiscard]] std::vector<std::uint8_t> whole(std::span<const std::uint8_t> x) const;
  /// Returns the x of `p`.
  [[nodiscard]] std::vector<std::uint8_t> part(std::span<const std::uint8_t> x) const;
};

/// Finds products.  If `ordered`, finds only products with which the lexicographically
/// smallest optimum of `p` gives that of the function.
/// Empty for spin functions that are not exact in 0/1 variables,
/// if numbers span too many digits, or if stopped.  O(n + pairs).
[[nodiscard]] Products find_products(const qubo::Quadratic& f,
                                     bool ordered,
                                     const Stop& stop);

}  // namespace oa::solve
