#pragma once

#include <string_view>
#include <vector>

namespace oa::num {

/// The instruction sets that this build has kernels for and this machine supports, best
/// first, e.g. "AVX3", "AVX2", "SCALAR".
[[nodiscard]] std::vector<std::string_view> simd_targets();

/// Makes all kernels use instruction set `name` of simd_targets(),
/// for tests and benchmarks.  Do not call it while kernels run.
void use_simd_target(std::string_view name);

/// A cache line of doubles or floats.  Arrays of Line are aligned for every instruction
/// set; padding to whole lines avoids remainder loops.
struct alignas(64) Line {
  double lane[8];
};
inline constexpr int kLine = 8;
struct alignas(64) FloatLine {
  float lane[16];
};
inline constexpr int kFloatLine = 16;

/// The elements of consecutive lines as an array.
[[nodiscard]] inline double* elements(Line* lines) {
  return reinterpret_cast<double*>(lines);  // NOLINT: `lines->lane` ends with its line
}
[[nodiscard]] inline const double* elements(const Line* lines) {
  return reinterpret_cast<const double*>(lines);  // NOLINT: as above
}
[[nodiscard]] inline float* elements(FloatLine* lines) {
  return reinterpret_cast<float*>(lines);  // NOLINT: as above
}
[[nodiscard]] inline const float* elements(const FloatLine* lines) {
  return reinterpret_cast<const float*>(lines);  // NOLINT: as above
}

/// n rounded up to whole lines of doubles, or of floats.
[[nodiscard]] constexpr int whole_lines(int n) {
  return (n + kLine - 1) / kLine * kLine;
}
[[nodiscard]] constexpr int whole_float_lines(int n) {
  return (n + kFloatLine - 1) / kFloatLine * kFloatLine;
}

}  // namespace oa::num
