#pragma once

#include "oa/base/rng.h"

#include <vector>

namespace oa {

/// `k` different numbers of 0 .. n-1, in random order.  O(k log k), whatever n is.
[[nodiscard]] std::vector<int> choose_distinct(int n, int k, Rng& rng);

}  // namespace oa
