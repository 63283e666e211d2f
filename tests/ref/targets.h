#pragma once

#include "oa/num/simd.h"

#include <doctest/doctest.h>

#include <string_view>

namespace oa::ref {

/// Calls `check()` with each instruction set of this machine, which a failure names;
/// chooses the best again.
template <class Check>
void on_each_target(const Check& check) {
  const auto targets = num::simd_targets();
  for (const std::string_view target : targets) {
    num::use_simd_target(target);
    CAPTURE(target);
    check();
  }
  num::use_simd_target(targets.front());
}

}  // namespace oa::ref
