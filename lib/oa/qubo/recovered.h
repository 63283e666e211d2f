#pragma once

#include <cstdint>
#include <string>

namespace oa::qubo {

/// Structure of the original problem, recovered from a QUBO's couplings.
struct Recovered {
  std::int64_t products = 0;     ///< variables that equal a product of two others
  std::int64_t constraints = 0;  ///< squared linear constraints
  std::int64_t conflicts = 0;    ///< pairs that are not both 1 in some optimum
  std::int64_t numbers = 0;      ///< integers of several digits

  /// "sufficient": no infeasible x is as good as the best feasible x.
  /// "too small: square 3 by 12": the best x violates square 3, whose penalty must grow
  /// by 12 for the best known feasible x to win.  Empty: unknown.
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
