#pragma once

#include "oa/io/tensor/safetensors.h"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace oa::io {

/// Statistics of a tensor; infinities and NaN are only counted.
struct TensorStats {
  std::int64_t count = 0;
  std::int64_t not_finite = 0;
  std::int64_t zeros = 0;
  double min = 0.0;
  double max = 0.0;
  double mean = 0.0;
};

[[nodiscard]] TensorStats tensor_stats(Dtype dtype, std::span<const std::byte> bytes);

/// Element `i` of an array of T in bytes, aligned or not.
template <class T>
[[nodiscard]] T load(std::span<const std::byte> bytes, std::size_t i) {
  T value{};
  std::memcpy(&value, bytes.data() + i * sizeof(T), sizeof(T));
  return value;
}

/// Element `i` of a tensor's bytes as a double (64-bit integers may round).
[[nodiscard]] double element(Dtype dtype,
                             std::span<const std::byte> bytes,
                             std::size_t i);

}  // namespace oa::io
