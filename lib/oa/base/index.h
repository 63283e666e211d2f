#pragma once

#include <cstddef>
#include <cstdint>

namespace oa {

/// Converts a signed index to the unsigned one of containers: v[at(i)].
[[nodiscard]] constexpr std::size_t at(std::int64_t i) {
  return static_cast<std::size_t>(i);
}

}  // namespace oa
