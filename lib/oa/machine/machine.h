#pragma once

#include <span>
#include <string_view>

namespace oa::machine {

/// The limits of a machine.
struct Machine {
  std::string_view name;
  int spins;          ///< at most, with the auxiliary one; 0: not documented
  int bits;           ///< of a coupling, with its sign
  int least_samples;  ///< of a task in the mode sampling
  int most_samples;
  std::string_view source;
};

[[nodiscard]] std::span<const Machine> machines();

/// The machine of that name, or null.
[[nodiscard]] const Machine* find_machine(std::string_view name);

}  // namespace oa::machine
