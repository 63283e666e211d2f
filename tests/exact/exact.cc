#include "exact/exact.h"

#include <bit>
#include <cmath>

namespace oa::exact {
namespace {

constexpr int kLowest = -1074;  // every double is a multiple of 2^-1074
constexpr int kDigits = 53;

}  // namespace

Exact exactly(double value) {
  const auto all = std::bit_cast<std::uint64_t>(value);
  const int exponent = static_cast<int>(all >> 52U & 0x7ffU);
  const std::uint64_t fraction = all & ((std::uint64_t{1} << 52U) - 1);
  Exact x;
  if (exponent == 0) {  // subnormal: as the smallest normal ones, without their 1
    x.put(0, fraction);
  } else {
    x.put(exponent - 1, fraction | std::uint64_t{1} << 52U);
  }
  return value < 0.0 ? -x : x;
}

double nearest(const Exact& x) {
  const Exact m = x.magnitude();
  const int highest = m.highest_bit();
  double value = 0.0;
  if (highest < kDigits) {
    value = std::ldexp(static_cast<double>(m.bits(0)), kLowest);
  } else {
    const int last = highest - kDigits + 1;  // of the digits that a double keeps
    std::uint64_t digits = m.bits(last);
    const bool half = (m.bits(last - 1) & 1U) != 0;
    const bool more = m.lowest_bit() < last - 1;
    if (half && (more || (digits & 1U) != 0)) {
      ++digits;
    }
    value = std::ldexp(static_cast<double>(digits), last + kLowest);
  }
  return x.negative() ? -value : value;
}

Narrow narrowed(const Exact& x, int unit) {
  const Exact m = x.magnitude();
  Narrow result;
  result.put(0, m.bits(unit));
  result.put(64, m.bits(unit + 64));
  return x.negative() ? -result : result;
}

}  // namespace oa::exact
