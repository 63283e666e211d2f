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

namespace oa::ref {

/// Runs `check(name)` with each instruction set of this machine.
template <class Check>
void on_each_target(Check check) {
  const test::EveryTarget every;
  for (const auto target : every.names) {
    num::use_simd_target(target);
    check(target);
  }
}

}  // namespace oa::ref
