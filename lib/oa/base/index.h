#pragma once

#include <cstddef>
#include <cstdint>

namespace oa {

/// Counts and indices are signed, those of the standard library are not: v[at(i)].
[[nodiscard]] constexpr std::size_t at(std::int64_t i) {
  return static_cast<std::size_t>(i);
}

}  // namespace oa
