#pragma once

#include "oa/base/rng.h"

#include <vector>

namespace oa {

/// Draws `k` distinct numbers of 0 .. n-1 in random order.  O(k log k) for any n.
[[nodiscard]] std::vector<int> choose_distinct(int n, int k, Rng& rng);

}  // namespace oa
