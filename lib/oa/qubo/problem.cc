#include "oa/qubo/problem.h"

#include <cassert>

namespace oa::qubo {
namespace {

template <class Coefficient>
double sum(std::span<const float> j,
           std::span<const float> h,
           std::span<const Coefficient> x) {
  const std::size_t m = x.size();
  assert(j.size() == m * m && h.size() == m);
  double total = 0.0;
  for (std::size_t a = 0; a < m; ++a) {
    if (x[a] == Coefficient{}) {
      continue;
    }
    const float* row = j.data() + a * m;
    double pairs = 0.0;  // sum over b < a of J_ab x_b
    for (std::size_t b = 0; b < a; ++b) {
      pairs += double{row[b]} * static_cast<double>(x[b]);
    }
    const auto xa = static_cast<double>(x[a]);
    total += xa * (double{h[a]} + 0.5 * double{row[a]} * xa + pairs);
  }
  return total;
}

}  // namespace

double energy(std::span<const float> j,
              std::span<const float> h,
              std::span<const std::uint8_t> x) {
  return sum(j, h, x);
}

double energy(std::span<const float> j,
              std::span<const float> h,
              std::span<const float> x) {
  return sum(j, h, x);
}

}  // namespace oa::qubo
