#include <atomic>
#include <cstdint>

#include <hwy/highway.h>

#if HWY_ARCH_X86
#include <cpuid.h>
#endif

// Replacements of the three functions of Highway's library that its headers and simd.cc
// call, so that the library is not linked.  Version 1.0.3 measures the clock's
// resolution whenever a program starts: more than half of a tool's 7 ms.
// Weak symbols, for programs that also link a static Highway.

namespace oa::num {
namespace {

std::atomic<std::int64_t> for_test{0};

#if HWY_ARCH_X86

// has_avx2() and has_avx3() test for every feature with which a target is compiled.
bool has_avx2() {
  unsigned a = 0;
  unsigned b = 0;
  unsigned c = 0;
  unsigned d = 0;
  // Some compilers have no name for F16C in __builtin_cpu_supports.
  const bool has_halves = __get_cpuid(1, &a, &b, &c, &d) != 0 && (c & bit_F16C) != 0;
  return has_halves && __builtin_cpu_supports("avx2") != 0 &&
         __builtin_cpu_supports("fma") != 0 && __builtin_cpu_supports("bmi") != 0 &&
         __builtin_cpu_supports("bmi2") != 0 && __builtin_cpu_supports("aes") != 0 &&
         __builtin_cpu_supports("pclmul") != 0;
}

bool has_avx3() {
  return has_avx2() && __builtin_cpu_supports("avx512f") != 0 &&
         __builtin_cpu_supports("avx512vl") != 0 &&
         __builtin_cpu_supports("avx512dq") != 0 &&
         __builtin_cpu_supports("avx512bw") != 0;
}

std::int64_t of_this_machine() {
  return (has_avx2() ? HWY_AVX2 : 0) | (has_avx3() ? HWY_AVX3 : 0);
}

#else

std::int64_t of_this_machine() {
  return 0;
}

#endif

}  // namespace
}  // namespace oa::num

namespace hwy {

[[gnu::weak]] ChosenTarget& GetChosenTarget() {
  static ChosenTarget chosen;
  return chosen;
}

// The targets that the compiler may assume on every machine.
[[gnu::weak]] std::int64_t SupportedTargets() {
  const std::int64_t mocked = oa::num::for_test;
  return mocked != 0 ? mocked : oa::num::of_this_machine() | HWY_STATIC_TARGET;
}

[[gnu::weak]] void SetSupportedTargetsForTest(std::int64_t targets) {
  oa::num::for_test = targets;
}

}  // namespace hwy
