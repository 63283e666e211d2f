#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace oa::solve {

/// 0/1 vectors at which searches start.
using States = std::vector<std::vector<std::uint8_t>>;

/// Returns the start of read k: states[k mod size].  Empty if there are no states.
[[nodiscard]] inline std::span<const std::uint8_t> state_of(
    std::span<const std::vector<std::uint8_t>> states, std::int64_t k) {
  return states.empty() ? std::span<const std::uint8_t>()
                        : states[static_cast<std::size_t>(k) % states.size()];
}

/// Returns x restricted to `variables`.
[[nodiscard]] inline std::vector<std::uint8_t> part_of(std::span<const std::uint8_t> x,
                                                       std::span<const int> variables) {
  std::vector<std::uint8_t> part;
  part.reserve(variables.size());
  for (const int i : variables) {
    part.push_back(x[static_cast<std::size_t>(i)]);
  }
  return part;
}

/// Restricts each state to `variables`.
[[nodiscard]] inline States parts_of(std::span<const std::vector<std::uint8_t>> states,
                                     std::span<const int> variables) {
  States parts;
  for (const std::vector<std::uint8_t>& x : states) {
    parts.push_back(part_of(x, variables));
  }
  return parts;
}

}  // namespace oa::solve
