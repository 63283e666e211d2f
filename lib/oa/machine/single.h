#pragma once

#include "oa/qubo/polynomial.h"
#include "oa/qubo/quadratic.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace oa::machine {

/// A single problem as its user has it, kept beside what a machine gets of it, so that
/// answers speak of the user's variables and energies.
struct Single {
  std::string file;
  std::string format;  ///< the name of the file's format
  qubo::Quadratic f;
  /// Of each variable 0, 1 or qubo::kFree, as its user wants it; empty: all are open.
  std::vector<std::uint8_t> given = {};
  /// What f stands for, if the file has a polynomial or constraints: the first
  /// variables of f are its own.
  std::optional<qubo::Polynomial> polynomial = {};
};

}  // namespace oa::machine
