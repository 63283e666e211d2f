#include "oa/solve/exact/box/twins.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <utility>

namespace oa::solve {
namespace {

// Hashes each row without regard to the order of its elements: twins have equal hashes.
std::vector<std::uint64_t> fingerprints(const qubo::Matrix& j) {
  const int n = j.size();
  std::vector<std::uint64_t> sums(static_cast<std::size_t>(n));
  for (int i = 0; i < n; ++i) {  // sums all rows at once: rows are also columns
    const double* row = j.row(i);
    for (int k = 0; k < n; ++k) {
      sums[static_cast<std::size_t>(k)] += std::bit_cast<std::uint64_t>(row[k]);
    }
  }
  return sums;
}

// A quick check, since few matrices have twins.
bool all_different(std::span<const std::uint64_t> prints) {
  const std::size_t places = std::bit_ceil(2 * prints.size() + 2);
  std::vector<int> table(places, -1);
  for (std::size_t i = 0; i < prints.size(); ++i) {
    std::size_t at = (prints[i] * 0x9e3779b97f4a7c15U) >> 32 & (places - 1);
    for (; table[at] >= 0; at = (at + 1) & (places - 1)) {
      if (prints[static_cast<std::size_t>(table[at])] == prints[i]) {
        return false;
      }
    }
    table[at] = static_cast<int>(i);
  }
  return true;
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
  const std::vector<std::uint64_t> prints = fingerprints(j);
  if (all_different(prints)) {
    return;
  }
  std::vector<std::pair<std::uint64_t, int>> order;
  order.reserve(n);
  for (const std::uint64_t print : prints) {
    order.emplace_back(print, static_cast<int>(order.size()));
  }
  std::ranges::sort(order);
  bool joined = false;  // the previous variable ends the last group
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
