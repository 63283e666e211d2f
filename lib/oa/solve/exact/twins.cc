#include "oa/solve/exact/twins.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <numeric>

namespace oa::solve {
namespace {

// The same for twins, whose rows are equal but for the order of elements.
std::uint64_t fingerprint(const qubo::Matrix& j, int i) {
  std::uint64_t sum = 0;
  const double* row = j.row(i);
  for (int k = 0; k < j.size(); ++k) {
    sum += std::bit_cast<std::uint64_t>(row[k]);
  }
  return sum;
}

bool twins(const qubo::Matrix& j, int a, int b) {
  const double* x = j.row(a);
  const double* y = j.row(b);
  const auto [low, high] = std::minmax(a, b);
  return x[a] == y[b] && std::equal(x, x + low, y) &&
         std::equal(x + low + 1, x + high, y + low + 1) &&
         std::equal(x + high + 1, x + j.size(), y + high + 1);
}

}  // namespace

Twins::Twins(const qubo::Matrix& j) {
  const auto n = static_cast<std::size_t>(j.size());
  std::vector<std::uint64_t> prints(n);
  for (std::size_t i = 0; i < n; ++i) {
    prints[i] = fingerprint(j, static_cast<int>(i));
  }
  std::vector<int> order(n);
  std::iota(order.begin(), order.end(), 0);
  const auto print = [&](int i) { return prints[static_cast<std::size_t>(i)]; };
  std::ranges::stable_sort(order, {}, print);
  for (std::size_t i = 0; i < n; ++i) {
    const bool joins = i > 0 && print(order[i]) == print(order[i - 1]) &&
                       twins(j, order[i - 1], order[i]);
    if (joins && groups_.back().back() == order[i - 1]) {
      groups_.back().push_back(order[i]);
    } else {
      groups_.push_back({order[i]});
    }
  }
  std::erase_if(groups_, [](const auto& group) { return group.size() < 2; });
  next_.resize(n, -1);
  previous_.resize(n, -1);
}

void Twins::set_linear(std::span<const double> h) {
  if (groups_.empty()) {
    return;
  }
  any_ = false;
  const auto at = [](int i) { return static_cast<std::size_t>(i); };
  for (const auto& group : groups_) {
    for (std::size_t a = 0; a < group.size(); ++a) {
      const auto i = at(group[a]);
      previous_[i] = -1;
      for (std::size_t b = a; b-- > 0 && previous_[i] < 0;) {
        previous_[i] = h[at(group[b])] == h[i] ? group[b] : -1;
      }
      next_[i] = -1;
      if (previous_[i] >= 0) {
        next_[at(previous_[i])] = group[a];
        any_ = true;
      }
    }
  }
}

}  // namespace oa::solve
