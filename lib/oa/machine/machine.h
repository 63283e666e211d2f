#pragma once

#include <span>
#include <string_view>

namespace oa::machine {

/// The limits of one model of machine.
struct Machine {
  std::string_view name;
  int spins;          ///< maximum, with the auxiliary spin; 0: unknown
  int bits;           ///< of a coupling, with the sign
  int least_samples;  ///< minimum of a task in sampling mode
  int most_samples;
  std::string_view source;
};

[[nodiscard]] std::span<const Machine> machines();

/// Returns the machine called `name`, or null.
[[nodiscard]] const Machine* find_machine(std::string_view name);

}  // namespace oa::machine
