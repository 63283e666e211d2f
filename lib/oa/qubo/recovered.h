#pragma once

#include <cstdint>
#include <string>

namespace oa::qubo {

/// What the couplings of a quadratic function show of the problem that it was made
/// from.
struct Recovered {
  std::int64_t products = 0;     ///< variables that are products of two others
  std::int64_t constraints = 0;  ///< squares of linear constraints
  std::int64_t conflicts = 0;    ///< pairs that some optimum does not have
  std::int64_t numbers = 0;      ///< numbers of several digits

  /// "sufficient": no x that violates a constraint is as good as the best.  "too small:
  /// square 3 by 12": the best x violates the third, whose penalty would have to be
  /// larger by 12 for the best x known that satisfies all.  Empty: neither is known.
  std::string penalties = {};

  void add(const Recovered& other) {
    products += other.products;
    constraints += other.constraints;
    conflicts += other.conflicts;
    numbers += other.numbers;
    penalties = penalties.empty() ? other.penalties : penalties;
  }

  [[nodiscard]] bool any() const {
    return products + constraints + conflicts + numbers > 0;
  }
};

}  // namespace oa::qubo
