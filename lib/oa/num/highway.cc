#include <atomic>
#include <cstdint>

#include <hwy/highway.h>

#if HWY_ARCH_X86
#include <cpuid.h>
#endif

// The three functions of Highway's library that its headers and simd.cc call.  They
// keep the linker from linking that library, which in version 1.0.3 measures the
// resolution of the processor's clock at every start of a program: more than half of
// the 7 ms that a tool took to start.  They are weak, for programs that also link a
// static library of Highway.

namespace oa::num {
namespace {

std::atomic<std::int64_t> for_test{0};

#if HWY_ARCH_X86

// These test for all that the kernels of a target are compiled with.
bool has_avx2() {
  unsigned a = 0;
  unsigned b = 0;
  unsigned c = 0;
  unsigned d = 0;
  // Not every compiler has a name in __builtin_cpu_supports for F16C.
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

// The targets that the compiler may assume are always available.
[[gnu::weak]] std::int64_t SupportedTargets() {
  const std::int64_t mocked = oa::num::for_test;
  return mocked != 0 ? mocked : oa::num::of_this_machine() | HWY_STATIC_TARGET;
}

[[gnu::weak]] void SetSupportedTargetsForTest(std::int64_t targets) {
  oa::num::for_test = targets;
}

}  // namespace hwy
