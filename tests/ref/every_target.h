#pragma once

#include "oa/num/simd.h"

#include <string_view>
#include <vector>

namespace oa::test {

/// The instruction sets of this machine; afterwards the best one is in use again.
struct EveryTarget {
  std::vector<std::string_view> names = num::simd_targets();

  EveryTarget() = default;
  EveryTarget(const EveryTarget&) = delete;
  EveryTarget& operator=(const EveryTarget&) = delete;
  ~EveryTarget() { num::use_simd_target(names.front()); }
};

}  // namespace oa::test
