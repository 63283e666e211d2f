#include "oa/machine/machine.h"

#include <algorithm>
#include <array>

namespace oa::machine {
namespace {

// Source: the vendor's SDK manual of module cim, versions 1.3.1 and 1.4.1.
constexpr int kMin = 10;
constexpr int kMax = 2000;

constexpr std::array kMachines{
    Machine{"cpqc-1",
            0,
            8,
            kMin,
            kMax,
            "limit not documented; tasks of 50 spins ran in 2025"},
    Machine{"cpqc-100", 100, 8, kMin, kMax, "spins by its name"},
    Machine{
        "cpqc-550", 550, 8, kMin, kMax, "spins by its name; users check n + 1 <= 550"},
    Machine{"cpqc-1000",
            1000,
            14,
            kMin,
            kMax,
            "spins by its name; bits by the vendor's PyTorch plugin 0.3.0"}};

}  // namespace

std::span<const Machine> machines() {
  return kMachines;
}

const Machine* find_machine(std::string_view name) {
  const auto found = std::ranges::find(kMachines, name, &Machine::name);
  return found == kMachines.end() ? nullptr : &*found;
}

}  // namespace oa::machine
