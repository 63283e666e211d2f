#pragma once

#include "oa/qubo/quadratic.h"

#include <string>

namespace oa::machine {

/// A single problem as its user has it, kept beside what a machine gets of it, so that
/// answers speak of the user's variables and energies.
struct Single {
  std::string file;
  std::string format;  ///< the name of the file's format
  qubo::Quadratic f;
};

}  // namespace oa::machine
