#include "oa/data/choose.h"

#include "oa/base/index.h"

#include <cassert>
#include <cstdint>
#include <map>

namespace oa {

std::vector<int> choose_distinct(int n, int k, Rng& rng) {
  assert(k >= 0 && k <= n);
  // Does k steps of a shuffle of 0 .. n-1, and stores only the numbers that move.
  std::map<int, int> moved;
  const auto value_at = [&](int i) {
    const auto found = moved.find(i);
    return found == moved.end() ? i : found->second;
  };
  std::vector<int> chosen(at(k));
  for (int i = 0; i < k; ++i) {
    const int j = i + static_cast<int>(rng.below(static_cast<std::uint32_t>(n - i)));
    chosen[at(i)] = value_at(j);
    moved[j] = value_at(i);
  }
  return chosen;
}

}  // namespace oa
