#include "oa/io/tensor/tensor_stats.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace oa::io {
namespace {

/// Decodes IEEE 754 half precision.
double half(std::uint16_t bits) {
  const int exponent = bits >> 10 & 31;
  const int fraction = bits & 1023;
  const double sign = (bits & 0x8000) != 0 ? -1.0 : 1.0;
  if (exponent == 31) {
    return fraction != 0 ? std::numeric_limits<double>::quiet_NaN()
                         : sign * std::numeric_limits<double>::infinity();
  }
  return sign * (exponent == 0 ? std::ldexp(fraction, -24)
                               : std::ldexp(1024 + fraction, exponent - 25));
}

}  // namespace

double element(Dtype dtype, std::span<const std::byte> bytes, std::size_t i) {
  switch (dtype) {
    case Dtype::Bool:
    case Dtype::U8: return load<std::uint8_t>(bytes, i);
    case Dtype::I8: return load<std::int8_t>(bytes, i);
    case Dtype::U16: return load<std::uint16_t>(bytes, i);
    case Dtype::I16: return load<std::int16_t>(bytes, i);
    case Dtype::F16: return half(load<std::uint16_t>(bytes, i));
    case Dtype::Bf16: {
      const auto high = std::uint32_t{load<std::uint16_t>(bytes, i)} << 16;
      return static_cast<double>(std::bit_cast<float>(high));
    }
    case Dtype::U32: return load<std::uint32_t>(bytes, i);
    case Dtype::I32: return load<std::int32_t>(bytes, i);
    case Dtype::F32: return static_cast<double>(load<float>(bytes, i));
    case Dtype::U64: return static_cast<double>(load<std::uint64_t>(bytes, i));
    case Dtype::I64: return static_cast<double>(load<std::int64_t>(bytes, i));
    case Dtype::F64: return load<double>(bytes, i);
  }
  return 0.0;
}

TensorStats tensor_stats(Dtype dtype, std::span<const std::byte> bytes) {
  TensorStats stats;
  const std::size_t count = bytes.size() / size_of(dtype);
  stats.count = static_cast<std::int64_t>(count);
  double sum = 0.0;
  double low = std::numeric_limits<double>::infinity();
  double high = -low;
  for (std::size_t i = 0; i < count; ++i) {
    const double v = element(dtype, bytes, i);
    if (!std::isfinite(v)) {
      ++stats.not_finite;
      continue;
    }
    stats.zeros += v == 0.0 ? 1 : 0;
    low = std::min(low, v);
    high = std::max(high, v);
    sum += v;
  }
  const std::int64_t finite = stats.count - stats.not_finite;
  if (finite > 0) {
    stats.min = low;
    stats.max = high;
    stats.mean = sum / static_cast<double>(finite);
  }
  return stats;
}

}  // namespace oa::io
