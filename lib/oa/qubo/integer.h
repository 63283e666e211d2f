#pragma once

#include "oa/qubo/pairs.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace oa::qubo {

/// A whole number as a sum of 0/1 variables: `low` plus the weights of its digits that
/// are 1.  Every combination of digits is a value of the number.
struct Integer {
  std::string name;
  double low = 0.0;
  std::vector<Term> digits;  ///< linear terms, largest weight first

  /// True if no two combinations have the same value.
  [[nodiscard]] bool unique() const;
};

/// Weights that add up to every whole number from 0 to `range`, below 2^53, largest
/// first.  Each is half of what remains, rounded up.
[[nodiscard]] std::vector<double> digit_weights(double range);

/// The value at x, of 0s and 1s.
[[nodiscard]] double value_of(const Integer& integer, std::span<const std::uint8_t> x);

/// Sets the digits in x to a value that the number has.  Equal values get equal digits.
void set_value(const Integer& integer, double value, std::span<std::uint8_t> x);

}  // namespace oa::qubo
