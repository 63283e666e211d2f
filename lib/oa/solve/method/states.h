#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace oa::solve {

/// Vectors of 0s and 1s where searches begin.
using States = std::vector<std::vector<std::uint8_t>>;

/// Where read k begins: at state k modulo their number.  Empty if there are none.
[[nodiscard]] inline std::span<const std::uint8_t> state_of(
    std::span<const std::vector<std::uint8_t>> states, std::int64_t k) {
  return states.empty() ? std::span<const std::uint8_t>()
                        : states[static_cast<std::size_t>(k) % states.size()];
}

/// The values of some variables of x.
[[nodiscard]] inline std::vector<std::uint8_t> part_of(std::span<const std::uint8_t> x,
                                                       std::span<const int> variables) {
  std::vector<std::uint8_t> part;
  part.reserve(variables.size());
  for (const int i : variables) {
    part.push_back(x[static_cast<std::size_t>(i)]);
  }
  return part;
}

/// The values of some variables in each state.
[[nodiscard]] inline States parts_of(std::span<const std::vector<std::uint8_t>> states,
                                     std::span<const int> variables) {
  States parts;
  for (const std::vector<std::uint8_t>& x : states) {
    parts.push_back(part_of(x, variables));
  }
  return parts;
}

}  // namespace oa::solve
