#pragma once

#include "oa/qubo/polynomial.h"
#include "oa/qubo/quadratic.h"

#include <cstdint>
#include <span>
#include <vector>

namespace oa::qubo {

/// `values` has 0, 1 (the spin +1) or kFree for each variable.  Puts x into the free
/// places.
[[nodiscard]] std::vector<std::uint8_t> filled(std::vector<std::uint8_t> values,
                                               std::span<const std::uint8_t> x);
/// The elements of x in the free places.
[[nodiscard]] std::vector<std::uint8_t> free_part(std::span<const std::uint8_t> values,
                                                  std::span<const std::uint8_t> x);

/// p, without constraints, as a polynomial of the free variables.
[[nodiscard]] Polynomial fixed(const Polynomial& p,
                               std::span<const std::uint8_t> values);

/// A function with values for some variables, as a function of the others.
class Fixed {
 public:
  /// `values` has 0, 1 (the spin +1) or kFree for each variable.  O(n + pairs).
  Fixed(const Quadratic& f, std::vector<std::uint8_t> values);

  /// Its energies are exactly those of f.  It has the names of f.
  [[nodiscard]] const Quadratic& rest() const { return rest_; }

  /// The x of f for an x of the rest.
  [[nodiscard]] std::vector<std::uint8_t> whole(std::span<const std::uint8_t> x) const {
    return filled(values_, x);
  }
  /// The free part of an x of f.
  [[nodiscard]] std::vector<std::uint8_t> part(std::span<const std::uint8_t> x) const {
    return free_part(values_, x);
  }

 private:
  std::vector<std::uint8_t> values_;
  Quadratic rest_;
};

}  // namespace oa::qubo
