#include "oa/qubo/integer.h"

#include "oa/base/index.h"

#include <cmath>

namespace oa::qubo {

bool Integer::unique() const {
  double sum = 0.0;
  for (const Term& digit : digits) {
    sum += digit.weight;
  }
  return digits.empty() ||
         sum == digits.back().weight * (std::exp2(std::ssize(digits)) - 1.0);
}

std::vector<double> digit_weights(double range) {
  std::vector<double> weights;
  for (double left = range; left > 0.0; left -= weights.back()) {
    weights.push_back(std::ceil(0.5 * left));
  }
  return weights;
}

double value_of(const Integer& integer, std::span<const std::uint8_t> x) {
  double value = integer.low;
  for (const Term& digit : integer.digits) {
    value += x[at(digit.first)] != 0 ? digit.weight : 0.0;
  }
  return value;
}

void set_value(const Integer& integer, double value, std::span<std::uint8_t> x) {
  double left = value - integer.low;
  for (const Term& digit : integer.digits) {
    const bool one = digit.weight <= left;
    x[at(digit.first)] = one ? 1 : 0;
    left -= one ? digit.weight : 0.0;
  }
}

}  // namespace oa::qubo
