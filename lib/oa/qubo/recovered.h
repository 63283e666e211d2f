#pragma once

#include <cstdint>

namespace oa::qubo {

/// What the couplings of a quadratic function show of the problem that it was made
/// from.
struct Recovered {
  std::int64_t products = 0;     ///< variables that are products of two others
  std::int64_t constraints = 0;  ///< squares of linear constraints
  std::int64_t conflicts = 0;    ///< pairs that some optimum does not have
  std::int64_t numbers = 0;      ///< numbers of several digits

  void add(const Recovered& other) {
    products += other.products;
    constraints += other.constraints;
    conflicts += other.conflicts;
    numbers += other.numbers;
  }

  [[nodiscard]] bool any() const {
    return products + constraints + conflicts + numbers > 0;
  }
};

}  // namespace oa::qubo
