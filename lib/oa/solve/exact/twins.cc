#include "oa/solve/exact/twins.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <utility>

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
  std::vector<std::pair<std::uint64_t, int>> order;
  order.reserve(n);
  for (int i = 0; i < j.size(); ++i) {
    order.emplace_back(fingerprint(j, i), i);
  }
  std::ranges::sort(order);
  bool joined = false;  // the variable before is the last one of the last group
  for (std::size_t i = 1; i < n; ++i) {
    const auto& [print, variable] = order[i];
    const auto& [print_before, before] = order[i - 1];
    if (print != print_before || !twins(j, before, variable)) {
      joined = false;
      continue;
    }
    if (!joined) {
      groups_.push_back({before});
    }
    groups_.back().push_back(variable);
    joined = true;
  }
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
