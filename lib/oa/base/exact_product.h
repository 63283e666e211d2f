#pragma once

#include <cmath>

namespace oa {

/// Passes one or two doubles to `take` whose sum is exactly a * b.
template <class Take>
void exact_product(double a, double b, const Take& take) {
  const double nearest = a * b;
  take(nearest);
  if (const double rest = std::fma(a, b, -nearest); rest != 0.0) {
    take(rest);
  }
}

}  // namespace oa
