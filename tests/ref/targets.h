#pragma once

#include "oa/num/simd.h"

namespace oa::ref {

/// Runs `check(name)` with each instruction set this machine has, then chooses the best
/// again.
template <class Check>
void on_each_target(Check check) {
  const auto targets = num::simd_targets();
  for (const auto target : targets) {
    num::use_simd_target(target);
    check(target);
  }
  num::use_simd_target(targets.front());
}

}  // namespace oa::ref
