#include "exhaustive.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

namespace oa::ref {
namespace {

std::vector<std::uint8_t> bits(std::uint32_t code, int n) {
  std::vector<std::uint8_t> x;
  for (int i = 0; i < n; ++i) {
    x.push_back(static_cast<std::uint8_t>(code >> i & 1));
  }
  return x;
}

std::vector<int> ones(std::uint32_t code, int n) {
  std::vector<int> all;
  for (int i = 0; i < n; ++i) {
    if ((code >> i & 1) != 0) {
      all.push_back(i);
    }
  }
  return all;
}

}  // namespace

std::vector<solve::Solution> exhaustive(const qubo::Matrix& j,
                                        std::span<const double> h,
                                        int top) {
  const int n = j.size();
  const std::uint32_t count = 1U << n;
  // About right first: without the highest variable, plus its field.  An addition
  // rounds by 2^-53 of the sum so far, and each energy is the sum of at most n^2 terms.
  std::vector<double> energies(count, 0.0);
  double magnitude = 0.0;
  for (std::uint32_t code = 1; code < count; ++code) {
    const int high = std::bit_width(code) - 1;
    double field = h[static_cast<std::size_t>(high)] + 0.5 * j(high, high);
    for (int i = 0; i < high; ++i) {
      field += (code >> i & 1) != 0 ? j(high, i) : 0.0;
    }
    energies[code] = energies[code ^ 1U << high] + field;
  }
  for (int i = 0; i < n; ++i) {
    magnitude += std::abs(h[static_cast<std::size_t>(i)]);
    for (int k = 0; k < n; ++k) {
      magnitude += std::abs(j(i, k));
    }
  }
  const auto wanted = std::min(static_cast<std::uint32_t>(top), count);
  std::vector<double> order = energies;
  std::nth_element(order.begin(), order.begin() + (wanted - 1), order.end());
  const double limit = order[wanted - 1] + n * n * 0x1p-50 * magnitude;
  // Then exactly those that may be among the best.
  std::vector<solve::Solution> best;
  for (std::uint32_t code = 0; code < count; ++code) {
    if (energies[code] <= limit) {
      best.push_back({exact_energy(j, h, ones(code, n)).two(), bits(code, n)});
    }
  }
  std::sort(best.begin(), best.end());
  best.resize(wanted);
  return best;
}

}  // namespace oa::ref
