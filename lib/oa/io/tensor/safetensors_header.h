#pragma once

#include "oa/io/tensor/safetensors.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace oa::io {

// Limits of oa-stream(5), LIMITS.
inline constexpr std::uint64_t kMaxHeader = std::uint64_t{16} << 20;
inline constexpr std::size_t kMaxTensors = 65536;
inline constexpr std::size_t kMaxRank = 8;
inline constexpr std::size_t kMaxName = 1024;
inline constexpr std::uint64_t kMaxData = std::uint64_t{1} << 40;

struct HeaderTensor {
  std::string name;
  Dtype dtype = Dtype::U8;
  Shape shape;
  std::size_t begin = 0;
  std::size_t size = 0;
};

/// The JSON header of a safetensors file.
/// Keys are unique; tensors are in the order of their data, without gap or overlap.
struct Header {
  Metadata metadata;
  std::vector<HeaderTensor> tensors;
  std::uint64_t data_size = 0;
};

[[nodiscard]] std::optional<Dtype> dtype_named(std::string_view name);

/// Parses a header.  Throws InputError, whose message begins with `where`.
[[nodiscard]] Header parse_header(std::span<const std::byte> json,
                                  const std::string& where);

}  // namespace oa::io
