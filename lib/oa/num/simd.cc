#include "oa/num/simd.h"

#include <cassert>
#include <cstdint>

#include <hwy/highway.h>

namespace oa::num {
namespace {

// A machine may support only some of HWY_TARGETS, but always the compiler's baseline.
// Lower bits are better.
std::uint64_t usable() {
  return static_cast<std::uint64_t>(HWY_TARGETS &
                                    (hwy::SupportedTargets() | HWY_STATIC_TARGET));
}

// All selectable targets, whichever target is selected now.
std::uint64_t all_usable() {
  static const std::uint64_t targets = usable();
  return targets;
}

std::uint64_t best_of(std::uint64_t targets) {
  return targets & (~targets + 1);
}

std::string_view name_of(std::uint64_t target) {
  return hwy::TargetName(static_cast<std::int64_t>(target));
}

}  // namespace

std::vector<std::string_view> simd_targets() {
  std::vector<std::string_view> names;
  for (std::uint64_t rest = all_usable(); rest != 0; rest &= rest - 1) {
    names.push_back(name_of(best_of(rest)));
  }
  return names;
}

void use_simd_target(std::string_view name) {
  for (std::uint64_t rest = all_usable(); rest != 0; rest &= rest - 1) {
    if (name_of(best_of(rest)) == name) {
      const auto target = static_cast<std::int64_t>(best_of(rest));
      hwy::SetSupportedTargetsForTest(target);
      hwy::GetChosenTarget().Update(target);
      return;
    }
  }
  assert(!"a target of this machine");
}

}  // namespace oa::num
