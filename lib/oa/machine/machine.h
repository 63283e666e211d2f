#pragma once

#include <span>
#include <string_view>

namespace oa::machine {

/// The limits of a machine.
struct Machine {
  std::string_view name;
  int spins;  ///< at most, the auxiliary one included; 0: not documented
  int bits;   ///< of a coupling, sign included
  std::string_view source;
};

[[nodiscard]] std::span<const Machine> machines();

/// The machine called `name`, or null.
[[nodiscard]] const Machine* find_machine(std::string_view name);

}  // namespace oa::machine
